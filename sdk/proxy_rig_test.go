//go:build linux && programs

package sdk_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	proxiesPage = "../docs/operating.md"
	proxyName   = "tools.example.com" // the name in the page
	proxySecret = "a-secret-of-some-length"
)

// A proxyRig is a pair of processes behind a proxy, with the commands and the configuration in the
// documentation.
type proxyRig struct {
	service
	dir       string
	processes []service
	ledgers   chan entry
	sessions  int // number of processes with sessions

	network, address string // address of the proxy
	roots            *x509.CertPool
}

// An entry is a record in the log of a process's interceptor.
type entry struct {
	process int
	text    string
}

// proxies are the proxies in the page, with functions that start them with their configuration.
var proxies = map[string]func(*proxyRig, *testing.T, string){"nginx": (*proxyRig).nginx, "haproxy": (*proxyRig).haproxy}

// startBehindProxy starts the processes and the proxy in front of them.
func startBehindProxy(t *testing.T, name string) *proxyRig {
	t.Helper()
	dir, err := os.MkdirTemp("", "proxy") // paths of sockets must be short, so the directory of t is not suitable
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := &proxyRig{dir: dir, ledgers: make(chan entry)}
	p.write(t, "token", proxySecret)
	config := block(t, name+": configuration")
	for line := range strings.Lines(block(t, name+": processes")) {
		if command, ok := strings.CutPrefix(line, "notes "); ok {
			config = p.process(t, strings.Fields(strings.TrimSuffix(command, "&\n")), config)
		}
	}
	if len(p.processes) != 2 {
		t.Fatalf("%s has %d processes for %s", proxiesPage, len(p.processes), name)
	}
	proxies[name](p, t, config)
	p.connect()
	return p
}

// block returns a code block of the documentation page about proxies.
func block(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(proxiesPage)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)<!-- " + name + " -->\n```[a-z]+\n(.*?)```\n").FindSubmatch(page)
	if found == nil {
		t.Fatalf("%s has no block %q", proxiesPage, name)
	}
	return string(found[1])
}

// replaceWords replaces words, given as pairs of old and new, in text. The test fails if an old word does
// not occur.
func replaceWords(t *testing.T, text string, words ...string) string {
	t.Helper()
	for i := 0; i < len(words); i += 2 {
		if !strings.Contains(text, words[i]) {
			t.Fatalf("there is no %q in\n%s", words[i], text)
		}
	}
	return strings.NewReplacer(words...).Replace(text)
}

// write writes a file for the proxy or a process and returns its path.
func (p *proxyRig) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// process starts a process with the arguments in the page, and returns the configuration with its address.
func (p *proxyRig) process(t *testing.T, args []string, config string) string {
	t.Helper()
	number := len(p.processes)
	path := filepath.Join(p.dir, fmt.Sprint("ledger", number))
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ledger, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ledger.Close() })
	go func() {
		for piece := make([]byte, 4096); ; {
			n, err := ledger.Read(piece)
			if err != nil {
				return
			}
			select {
			case p.ledgers <- entry{number, string(piece[:n])}:
			case <-t.Context().Done():
				return
			}
		}
	}()
	address, there := args[1], "127.0.0.1:0"
	if socket, ok := strings.CutPrefix(address, "unix:"); ok {
		there = "unix:" + filepath.Join(p.dir, filepath.Base(socket))
	}
	line := replaceWords(t, strings.Join(args, "\n"), address, there, "/etc/notes/token", filepath.Join(p.dir, "token"))
	process := serve(t, sharedKeys(), append(strings.Split(line, "\n"), "--ledger", path)...)
	if at, err := url.Parse(process.url); err == nil && at.Host != "" {
		there = at.Host
	}
	p.processes = append(p.processes, process)
	return replaceWords(t, config, address, there)
}

// waitForLog waits until a process has written text to its log. It returns the number of the process, and
// everything that the processes have written since the previous call.
func (p *proxyRig) waitForLog(t *testing.T, text string) (process int, all []string) {
	t.Helper()
	all = make([]string, len(p.processes))
	for deadline := time.After(20 * time.Second); ; {
		select {
		case e := <-p.ledgers:
			all[e.process] += e.text
			if strings.Contains(all[e.process], text) {
				return e.process, all
			}
		case <-deadline:
			t.Fatalf("no process wrote %q: %q", text, all)
		}
	}
}

// certificate returns the paths of a certificate that clients of the proxy trust, and of its key.
func (p *proxyRig) certificate(t *testing.T) (cert, key string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	server.Close()
	pair := server.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	p.roots = x509.NewCertPool()
	p.roots.AddCert(server.Certificate())
	cert = p.write(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	key = p.write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	return cert, key
}

// nginxMain is the main configuration, which is usually part of the package. It uses a single process, so
// that no process remains when nginx is killed.
const nginxMain = `
daemon off;
master_process off;
pid DIR/nginx.pid;
error_log stderr notice;
events {}
http {
	access_log off;
	client_body_temp_path DIR/body;
	proxy_temp_path DIR/proxy;
	fastcgi_temp_path DIR/fastcgi;
	uwsgi_temp_path DIR/uwsgi;
	scgi_temp_path DIR/scgi;
	include DIR/site.conf;
}`

// nginx starts nginx, which listens on a Unix socket instead of a TCP port.
func (p *proxyRig) nginx(t *testing.T, config string) {
	cert, key := p.certificate(t)
	socket := filepath.Join(p.dir, "front.sock")
	p.write(t, "site.conf", replaceWords(t, config, "/etc/ssl/notes/cert.pem", cert, "/etc/ssl/notes/key.pem", key, "listen 443 ssl", "listen unix:"+socket+" ssl"))
	main := p.write(t, "nginx.conf", strings.ReplaceAll(nginxMain, "DIR", p.dir))
	cmd := exec.Command(daemon("nginx"), "-e", "stderr", "-p", p.dir, "-c", main)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	launchProxy(t, cmd)
	// nginx logs this line when it is listening.
	log := bufio.NewScanner(stderr)
	for said := ""; !strings.Contains(log.Text(), "event method"); said += log.Text() + "\n" {
		if !log.Scan() {
			t.Fatalf("nginx does not serve: %s", said)
		}
	}
	go io.Copy(io.Discard, stderr)
	p.network, p.address, p.sessions = "unix", socket, 1
}

// haproxy starts haproxy, which inherits the listener.
func (p *proxyRig) haproxy(t *testing.T, config string) {
	cert, key := p.certificate(t)
	if err := os.Rename(key, cert+".key"); err != nil { // haproxy expects the key in this file
		t.Fatal(err)
	}
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	main := p.write(t, "haproxy.cfg", replaceWords(t, config, "bind :443 ssl", "bind fd@3 ssl", "/etc/haproxy/notes.pem", cert))
	cmd := exec.Command(daemon("haproxy"), "-db", "-f", main)
	cmd.ExtraFiles = []*os.File{file}
	launchProxy(t, cmd)
	p.network, p.address, p.sessions = "tcp", l.Addr().String(), 2
}

// daemon returns the path of a program that is often not in a user's PATH.
func daemon(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return filepath.Join("/usr/sbin", name)
}

// launchProxy starts a proxy and ends it with the test.
func launchProxy(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	said := new(lockedBuffer)
	if cmd.Stderr == nil { // otherwise another reader exists
		cmd.Stderr = said
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("the proxy said: %s", said)
		}
	})
}

// connect makes the proxy the destination of all requests. It adds the token to requests that have none.
func (p *proxyRig) connect() {
	p.url = "https://" + proxyName + "/mcp"
	p.transport = authorizer{&http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, p.network, p.address)
		},
		TLSClientConfig:   &tls.Config{RootCAs: p.roots},
		ForceAttemptHTTP2: true, // clients offer HTTP/2, which haproxy must not accept (see the page)
	}}
}

type authorizer struct{ http.RoundTripper }

func (a authorizer) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") == "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+proxySecret)
	}
	return a.RoundTripper.RoundTrip(req)
}
