package rustdoc_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/kitchen"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// line returns the number of the line in the crate's lib.rs that contains text.
func line(t *testing.T, text string) string {
	t.Helper()
	data, err := fs.ReadFile(kitchen.Sources(t), "lib.rs")
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(string(data), "\n") {
		if strings.Contains(l, text) {
			return fmt.Sprint(i + 1)
		}
	}
	t.Fatalf("no line holds %q", text)
	return ""
}

func TestItems(t *testing.T) {
	const docs = "crate://kitchen/%5E1/items/kitchen/"
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, old bool) {
		where := "\n"
		if old {
			where = " "
		}
		for _, c := range []struct {
			page          string
			kind          rustdoc.Kind
			path          string
			declaration   string
			documentation string
			from          string // the first line of the source, found by its text
		}{
			{"kitchen/struct.Pot.html#structfield.litres", rustdoc.Field, "kitchen::Pot::litres", "litres: T",
				"How much fits in, in [litres](" + docs + "measure/struct.Litre.html).", "pub struct Pot<"},
			{"kitchen/struct.Pot.html#structfield.lid", rustdoc.Field, "kitchen::Pot::lid", "lid: bool", "", "pub struct Pot<"},
			{"kitchen/struct.Pot.html#associatedconstant.UNDOCUMENTED", rustdoc.AssocConst, "kitchen::Pot::UNDOCUMENTED", "pub const UNDOCUMENTED: &'static str = \"1\\n2\"", "", "pub const UNDOCUMENTED"},
			{"kitchen/struct.Pot.html#method.new", rustdoc.Method, "kitchen::Pot::new", "pub fn new(litres: u32) -> Self",
				"Makes a pot.\n\n##### Panics\n\nIf it is larger than [`Pot::MAX`](" + docs + "struct.Pot.html#associatedconstant.MAX).", "pub fn new(litres: u32)"},
			{"kitchen/struct.Pot.html#method.new-1", rustdoc.Method, "kitchen::Pot::new", "pub fn new(litres: u64) -> Self", "Makes a very large pot.", "pub fn new(litres: u64)"},
			{"kitchen/struct.Pot.html#method.simmer", rustdoc.Method, "kitchen::Pot::simmer", "pub fn simmer(&mut self) -> Result<(), Mishap>", "", "pub fn simmer"},
			{"kitchen/struct.Pot.html#method.boil", rustdoc.Method, "kitchen::Pot::boil",
				"pub unsafe fn boil<'a, F>(&'a self, watch: F) -> impl Iterator<Item = &'a u8>" + where + "where\n    F: FnMut(&u8) -> bool + 'a,", "Boils over.", "pub unsafe fn boil"},
			{"kitchen/struct.Spoon.html#method.clean", rustdoc.Method, "kitchen::Spoon::clean", "fn clean(&mut self)", "Cleans the spoon.", "fn clean(&mut self) {}"},
			{"kitchen/struct.Spoon.html", rustdoc.Struct, "kitchen::Spoon", "pub struct Spoon;", "A struct without fields.", "pub struct Spoon;"},
			{"kitchen/struct.Gr%C3%B6%C3%9Fe.html", rustdoc.Struct, "kitchen::Größe", "pub struct Größe {\n    pub wért: u8,\n}", "Größe, the size.", "pub struct Größe"},
			{"kitchen/struct.Größe.html#method.%C3%A4ndern", rustdoc.Method, "kitchen::Größe::ändern", "pub fn ändern(&mut self)", "Ändert.", "pub fn ändern"},
			{"kitchen/fn.料理する.html", rustdoc.Function, "kitchen::料理する", "pub fn 料理する()", "料理する means to cook.", "pub fn 料理する"},
			{"kitchen/enum.Mishap.html", rustdoc.Enum, "kitchen::Mishap", "#[non_exhaustive]\npub enum Mishap {\n    Burnt,\n    Spilt(u8, String),\n    Broken {\n        pieces: usize,\n        repaired: bool,\n    },\n}", "What goes wrong.", "pub enum Mishap"},
			{"kitchen/enum.Mishap.html#variant.Spilt", rustdoc.Variant, "kitchen::Mishap::Spilt", "Spilt(u8, String)", "", "pub enum Mishap"},
			{"kitchen/enum.Mishap.html#variant.Broken", rustdoc.Variant, "kitchen::Mishap::Broken", "Broken", "With named fields.", "pub enum Mishap"},
			{"kitchen/enum.Mishap.html#variant.Broken.field.pieces", rustdoc.Field, "kitchen::Mishap::Broken::pieces", "pieces: usize", "How many pieces.", "pub enum Mishap"},
			{"kitchen/union.Bits.html", rustdoc.Union, "kitchen::Bits", "#[repr(C)]\npub union Bits {\n    pub whole: u32,\n    pub broken: f32,\n}", "Overlaid bits.", "pub union Bits"},
			{"kitchen/union.Bits.html#structfield.whole", rustdoc.Field, "kitchen::Bits::whole", "whole: u32", "As a whole number.", "pub union Bits"},
			{"kitchen/trait.Cook.html#associatedtype.Meal", rustdoc.AssocType, "kitchen::Cook::Meal", "type Meal: Clone", "What comes out.", "type Meal: Clone"},
			{"kitchen/trait.Cook.html#tymethod.cook", rustdoc.Method, "kitchen::Cook::cook", "fn cook(&self, with: Pot) -> Self::Meal", "Cooks.", "fn cook(&self, with"},
			{"kitchen/trait.Cook.html#tymethod.clean", rustdoc.Method, "kitchen::Cook::clean", "fn clean(&mut self)", "", "fn clean(&mut self);"},
			{"kitchen/trait.Cook.html#method.taste", rustdoc.Method, "kitchen::Cook::taste", "fn taste(&self) -> bool", "Tastes, by default good.", "fn taste"},
			{"kitchen/type.Pots.html", rustdoc.Type, "kitchen::Pots", "pub type Pots<T> = Vec<Pot<T>>;", "An alias of a type.", "pub type Pots"},
			{"kitchen/foreigntype.Opaque.html", rustdoc.ForeignType, "kitchen::Opaque", "extern {\n    pub type Opaque;\n}", "An opaque type.", "pub type Opaque"},
			{"kitchen/static.COUNTER.html", rustdoc.Static, "kitchen::COUNTER", "pub static mut COUNTER: usize", "A static.", "pub static mut COUNTER"},
			{"kitchen/keyword.match.html", rustdoc.Keyword, "kitchen::match", "", "The keyword that chooses.", "mod match_keyword"},
			{"kitchen/primitive.never.html", rustdoc.Primitive, "kitchen::never", "", "What never comes.", ""},
			{"kitchen/derive.Stir.html", rustdoc.Derive, "kitchen::Stir", "#[derive(Stir)]\n{\n    // Attributes available to this derive:\n    #[spoon]\n}", "Re-exported from the crate of macros. Derives nothing at all.", ""},
			{"kitchen/attr.seasoned.html", rustdoc.Attribute, "kitchen::seasoned", "#[seasoned]", "Re-exported from the crate of macros. Leaves an item as it is.", ""},
			{"kitchen/macro.mix.html", rustdoc.Macro, "kitchen::mix", "macro_rules! mix {\n    () => { ... };\n    ($($part:expr),+ $(,)?) => { ... };\n}", "Mixes.\n\n```rust\nkitchen::mix!(1, 2);\n```", "macro_rules! mix"},
			{"kitchen/macro.mix!.html", rustdoc.Macro, "kitchen::mix", "macro_rules! mix {\n    () => { ... };\n    ($($part:expr),+ $(,)?) => { ... };\n}", "Mixes.\n\n```rust\nkitchen::mix!(1, 2);\n```", "macro_rules! mix"},
			{"kitchen/match/fn.fn.html", rustdoc.Function, "kitchen::match::fn", "pub fn fn()", "A function called as a keyword.", "pub fn r#fn"},
			{"match/fn.fn.html", rustdoc.Function, "kitchen::match::fn", "pub fn fn()", "A function called as a keyword.", "pub fn r#fn"},
			{"kitchen/measure/struct.Cup.html#method.fill", rustdoc.Method, "kitchen::measure::Cup::fill", "pub fn fill(self) -> Self", "", "measures!(Teaspoon"},
		} {
			it, err := d.Item(parse(t, "crate://kitchen/^1/items/"+c.page))
			if err != nil {
				t.Errorf("%s: %v", c.page, err)
				continue
			}
			from := ""
			if c.from != "" {
				from = line(t, c.from)
			}
			if lines, _, _ := strings.Cut(it.Lines, "-"); strings.HasPrefix(it.Source, "src/") && lines != from {
				t.Errorf("%s: source %s#%s, want it from line %s on", c.page, it.Source, it.Lines, from)
			}
			if it.Kind != c.kind || it.Path != c.path || it.Declaration != c.declaration || it.Documentation != c.documentation {
				t.Errorf("%s:\n got %s %s\n%q\n%q\nwant %s %s\n%q\n%q", c.page, it.Kind, it.Path, it.Declaration, it.Documentation, c.kind, c.path, c.declaration, c.documentation)
			}
		}
	})
}

func TestEnumWithoutDocumentation(t *testing.T) {
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, _ bool) {
		it, err := d.Item(parse(t, "crate://kitchen/1/items/kitchen/enum.Undocumented.html"))
		if err != nil || it.Documentation != "" {
			t.Errorf("the documentation for a variant or a method is taken for the enum's: %q, %v", it.Documentation, err)
		}
	})
}

// members lists the results of Items for a page, each as its kind, name and trait.
func members(t *testing.T, d *rustdoc.Docs, page string) []string {
	t.Helper()
	items, err := d.Items(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, it := range items {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", it.Kind, it.Path, it.Trait)))
	}
	return all
}

func TestMembers(t *testing.T) {
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, old bool) {
		for page, want := range map[string]string{
			"kitchen/struct.Pot.html": `Struct kitchen::Pot, Field kitchen::Pot::litres, Field kitchen::Pot::lid, AssocConst kitchen::Pot::MAX, AssocConst kitchen::Pot::UNDOCUMENTED,
				Method kitchen::Pot::new, Method kitchen::Pot::simmer, Method kitchen::Pot::boil, Method kitchen::Pot::new, Method kitchen::Pot::clone Clone, Method kitchen::Pot::fmt Debug,
				Method kitchen::Pot::default Default, AssocType kitchen::Pot::Target Deref, Method kitchen::Pot::deref Deref, Method kitchen::Pot::drop Drop,
				Method kitchen::Pot::from From<u32>, Method kitchen::Pot::from From<u8>, Method kitchen::Pot::next Iterator, AssocType kitchen::Pot::Item Iterator, Method kitchen::Pot::eq PartialEq`,
			"kitchen/enum.Mishap.html": `Enum kitchen::Mishap, Variant kitchen::Mishap::Burnt, Variant kitchen::Mishap::Spilt, Variant kitchen::Mishap::Broken, Field kitchen::Mishap::Broken::pieces,
				Field kitchen::Mishap::Broken::repaired, Method kitchen::Mishap::fmt Debug`,
			"kitchen/trait.Cook.html": `Trait kitchen::Cook, AssocConst kitchen::Cook::MINUTES, AssocConst kitchen::Cook::PERSONS, AssocType kitchen::Cook::Meal, AssocType kitchen::Cook::Waste,
				Method kitchen::Cook::cook, Method kitchen::Cook::clean, Method kitchen::Cook::taste, Method kitchen::Cook::serve`,
			"kitchen/measure/struct.Cup.html": `Struct kitchen::measure::Cup, Method kitchen::measure::Cup::millilitres, Method kitchen::measure::Cup::fill, Method kitchen::measure::Cup::clone Clone`,
			"kitchen/struct.Pair.html":        `Struct kitchen::Pair, Field kitchen::Pair::0, Field kitchen::Pair::1`,
			"kitchen/src/struct.Sieve.html":   `Struct kitchen::src::Sieve, Field kitchen::src::Sieve::mesh`,
			"kitchen/macro.mix!.html":         "",
			"src/kitchen/lib.rs.html":         "",
			"kitchen/all.html":                "",
		} {
			got := members(t, d, page)
			if old { // old versions print the default type parameter of a trait, and derive the method ne
				for i := range got {
					got[i] = strings.TrimSuffix(got[i], "<Pot<T>>")
				}
				got = slices.DeleteFunc(got, func(s string) bool { return strings.Contains(s, "Pot::ne ") })
			}
			all := strings.Split(want, ",")
			for i := range all {
				all[i] = strings.TrimSpace(all[i])
			}
			if want == "" {
				all = nil
			}
			slices.Sort(got)
			slices.Sort(all)
			if !slices.Equal(got, all) {
				t.Errorf("%s:\n got %q\nwant %q", page, got, all)
			}
		}
	})
}

// All pages in rustdoc's list of items are found, and also pages that the list omits: modules, foreign types
// and keywords.
func TestPagesAgreeWithAllItems(t *testing.T) {
	for _, g := range kitchen.Generations() {
		archive := kitchen.Archive(t, g)
		d := open(t, archive)
		data, err := fs.ReadFile(archive, "kitchen/all.html")
		if err != nil {
			t.Fatal(err)
		}
		all := string(data)
		kinds := map[rustdoc.Kind]int{}
		for name, err := range d.Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			items, err := d.Items(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				kinds[it.Kind]++
			}
			if len(items) == 0 || slices.Contains([]rustdoc.Kind{rustdoc.Module, rustdoc.ForeignType, rustdoc.Keyword}, items[0].Kind) {
				continue
			}
			href := `<a href="` + strings.TrimPrefix(name, "kitchen/") + `">`
			if !strings.Contains(all, href) {
				t.Errorf("%s: all.html does not list %s", g, name)
			}
			all = strings.Replace(all, href, "", 1)
		}
		if _, list, _ := strings.Cut(all, "List of all items"); strings.Contains(list, `<li><a href="`) && !strings.Contains(list, `<li><a href="#`) {
			t.Errorf("%s: not found: %s", g, list)
		}
		for _, kind := range rustdoc.Kinds() {
			if kinds[kind] == 0 {
				t.Errorf("%s: no %s", g, kind)
			}
		}
	}
}
