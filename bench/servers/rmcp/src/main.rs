//! Serves the tool with rmcp and predefined schemas. Serde checks the types of
//! arguments. Their limits are not checked.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, JsonObject, ListToolsResult, PaginatedRequestParams,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::stdio,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
#[allow(dead_code)]
struct Window {
    from: String,
    to: String,
    zone: String,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct In {
    query: String,
    folder: String,
    kind: String,
    limit: i64,
    offset: i64,
    tags: Vec<String>,
    window: Window,
    archived: bool,
}

#[derive(Serialize)]
struct Hit {
    id: &'static str,
    title: String,
    line: usize,
}

#[derive(Serialize)]
struct Out {
    total: i64,
    kind: String,
    score: f64,
    hits: Vec<Hit>,
    next: String,
    complete: bool,
}

fn run(input: In) -> Out {
    Out {
        total: input.limit + input.offset,
        kind: input.kind,
        score: 0.75,
        hits: vec![
            Hit { id: "n-1", title: format!("Minutes of {}", input.folder), line: 3 },
            Hit { id: "n-2", title: format!("Plans for {}", input.window.from), line: 14 },
            Hit { id: "n-3", title: "Letters to the harbour office".into(), line: input.tags.len() },
        ],
        next: (input.offset + input.limit).to_string(),
        complete: input.archived,
    }
}

struct Server {
    tools: Vec<Tool>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.tools.iter().any(|t| t.name == request.name) {
            return Err(ErrorData::invalid_params("there is no such tool", None));
        }
        let input = serde_json::from_value(Value::Object(request.arguments.unwrap_or_default()))
            .map_err(|e| ErrorData::invalid_params(e.to_string(), None))?;
        let out = serde_json::to_value(run(input)).map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
        Ok(CallToolResult::structured(out).into())
    }
}

fn schema(text: &str) -> Result<Arc<JsonObject>, serde_json::Error> {
    serde_json::from_str(text).map(Arc::new)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = std::env::args().nth(1).ok_or("how many tools?")?.parse()?;
    let input = schema(include_str!("../../../internal/search/input.json"))?;
    let output = schema(include_str!("../../../internal/search/output.json"))?;
    let tools = (1..=count)
        .map(|i| {
            Tool::new(format!("search_{i}"), "Search the notes by words, folder, tags and days.", input.clone())
                .with_raw_output_schema(output.clone())
        })
        .collect();
    Server { tools }.serve(stdio()).await?.waiting().await?;
    Ok(())
}
