package front_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"dudo.example/mcpserver/front"
	"github.com/mark3labs/mcp-go/mcp"
)

// A server with one tool that waits for its turn, asked with what curl would send.
func Example() {
	turn, asked := make(chan string), make(chan struct{})
	m := front.NewMCP("example", "1.0.0", "Wait for your turn.")
	m.AddTool(mcp.NewTool("get_state"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(asked)
		timer := time.NewTimer(20 * time.Second)
		defer timer.Stop()
		select {
		case state := <-turn:
			return mcp.NewToolResultText(state), nil
		case <-timer.C:
		case <-front.Draining(ctx):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return mcp.NewToolResultText("not yet your turn"), nil
	})

	f := front.New(front.Config{Hosts: []string{"dudo.example"}}, m)
	mux := http.NewServeMux()
	mux.Handle("/mcp", f)
	mux.Handle("/healthz", f.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	mux.HandleFunc("/", front.NotFound)
	srv := front.NewServer("", mux)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go srv.Serve(l) // until Shutdown

	go func() {
		<-asked
		_ = srv.Shutdown(context.Background()) // the wait ends at once
	}()
	resp, err := http.Post("http://"+l.Addr().String()+"/mcp", "application/json",
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_state"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	reply, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.Status)
	fmt.Print(string(reply))
	// Output:
	// 200 OK
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"not yet your turn"}]}}
}
