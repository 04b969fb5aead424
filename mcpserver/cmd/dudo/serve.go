package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"dudo.example/mcpserver"
	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/metrics"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/tools"
	"dudo.example/plugins/host"
	"dudo.example/rules"
	"dudo.example/store"
)

func serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve tables to MCP agents",
		Long: "Serve answers MCP clients at http://ADDR/mcp. Tables, seats and games outlive it: after a restart, or a kill, they go on.\n" +
			"Every flag can also be set in the environment, as DUDO_ADDR for --addr, or in a config file; flags come first.\n" +
			"Rule files that --rules names are read again when they change on disk, and on SIGHUP, which also reads the setting rules again.\n" +
			"A file that is not right stays on offer as it was and is told in the log and by /healthz; tables keep the rules they were made with.\n" +
			"SIGTERM or Ctrl-C lets calls in progress finish and stops.",
		Example: "  dudo serve\n  dudo serve --addr 127.0.0.1:9000 --data /var/lib/dudo\n  dudo serve --rules ./rules,board/nim\n  DUDO_PLUGINS=./bots dudo serve",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags())
			if err != nil {
				return err
			}
			return serve(cmd.Context(), c, func() (*config, error) { return loadConfig(cmd.Flags()) }, cmd.OutOrStdout())
		},
	}
	configFlags(cmd.Flags())
	return cmd
}

// connectionsPerWaiter is how many connections an address has for each call that it may have waiting: clients that are not careful
// leave some behind.
const connectionsPerWaiter = 16

// serve runs the server until ctx ends. It tells on out where it is. reread reads the settings again.
func serve(ctx context.Context, c *config, reread func() (*config, error), out io.Writer) (err error) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	log := c.logger()
	ln, err := net.Listen("tcp", c.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w; another server is running there, --addr chooses another address", err)
	case err != nil:
		return fmt.Errorf("%w; --addr chooses another address", err)
	}
	defer func() { _ = ln.Close() }()
	counts := metrics.New()
	s, err := open(ctx, c, log, counts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	srv, err := mcpserver.New(mcpserver.Config{
		Lobby: s.lobby, Version: version(), Ready: s.store.Health, Faults: func() []mcpserver.Fault { return faults(s.book) }, Log: log,
		Front: front.Config{
			Hosts: c.Hosts, TrustedProxies: c.proxies, RequestsPerMinute: c.RequestsPerMinute, Log: log, Observe: counts.Request,
			Connections: min(c.Connections, openFiles()/2), AddrConnections: c.AddressWaiters * connectionsPerWaiter,
		},
	})
	if err != nil {
		return err
	}
	counts.Watch(s.lobby)
	admin := http.NewServeMux()
	admin.Handle("/", srv.Admin(counts.Handler()))
	admin.Handle("GET "+backupPath, serveBackup(s.store, log))
	stopAdmin, err := serveAdmin(c, admin, log)
	if err != nil {
		return err
	}
	defer stopAdmin()
	address := publicAddress(ln.Addr().String())
	if _, err := fmt.Fprintf(out, "Dudo serves %s/mcp; everything is kept in %s.\n\nAdd it to Claude Code:\n  %s\nAsk it with curl:\n  %s\nStop it with Ctrl-C; games go on when it is back.\n",
		address, c.Data, mcpserver.ClientLine(address), mcpserver.CurlLine(address)); err != nil {
		return err
	}
	if ip := net.ParseIP(hostOf(c.Addr)); (ip == nil || !ip.IsLoopback()) && hostOf(c.Addr) != "localhost" && len(c.Hosts) == 0 {
		log.Warn("only requests to localhost are answered; --hosts names what others call this server", "address", address)
	}
	if len(c.unknown) > 0 {
		log.Warn("variables that are no settings of dudo", "names", c.unknown)
	}
	log.Info("serving", "address", address, "data", c.Data, "version", version())
	o := &offer{book: s.book, lobby: s.lobby, server: srv, log: log, config: c, reread: reread}
	kept := make(chan struct{})
	keeping, stopKeeping := context.WithCancel(ctx)
	go func() {
		defer close(kept)
		o.keep(keeping, hangups)
	}()
	defer func() {
		stopKeeping()
		<-kept
	}()
	err = srv.Serve(ctx, ln)
	log.Info("stopped")
	return err
}

func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return ""
	}
	return host
}

// publicAddress is an address that a program on this machine can use for a listener's, which may be on all interfaces.
func publicAddress(listening string) string {
	host, port, err := net.SplitHostPort(listening)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return "http://localhost:" + port
	}
	return "http://" + listening
}

// serveAdmin serves the operator's address, if there is one.
func serveAdmin(c *config, h http.Handler, log *slog.Logger) (stop func(), err error) {
	if c.Admin == "" {
		return func() {}, nil
	}
	ln, err := net.Listen("tcp", c.Admin)
	if err != nil {
		return nil, fmt.Errorf("%w; --admin chooses another address", err)
	}
	admin := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := admin.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the admin address is not served any more", "error", err)
		}
	}()
	log.Info("metrics", "address", "http://"+ln.Addr().String()+"/metrics")
	return func() { _ = admin.Close() }, nil
}

// tablesFolder is where the store is, in the data folder.
const tablesFolder = "tables"

// parts are what a server is put together from.
type parts struct {
	book  *rulebook.Book
	store *store.Store
	bots  *host.Host
	lobby *tables.Lobby
}

// open puts the parts together; close takes them apart.
func open(ctx context.Context, c *config, log *slog.Logger, counts *metrics.Metrics) (*parts, error) {
	p := &parts{}
	if err := p.open(ctx, c, log, counts); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *parts) open(ctx context.Context, c *config, log *slog.Logger, counts *metrics.Metrics) error {
	house, err := houseBots()
	if err != nil {
		return err
	}
	if p.bots, err = host.New(host.Options{Dir: c.Plugins, House: house, Log: log}); err != nil {
		return err
	}
	check := func(files []*rules.File) error { return tools.Check(rulebook.Rulesets(files), p.bots.Bots()) }
	if p.book, err = rulebook.Open(c.Rules, check, log); err != nil {
		return err
	}
	if !c.NewKey {
		if err := checkKey(c.Data); err != nil {
			return err
		}
	}
	key, err := store.ServerKey(c.Data)
	if err != nil {
		return err
	}
	retired, err := store.RetiredKeys(c.Data)
	if err != nil {
		return err
	}
	if p.store, err = store.Open(filepath.Join(c.Data, tablesFolder), store.Options{
		Log: log, Observe: func(b store.Batch) { counts.Appended(b.Appends, b.Lines, b.Bytes, b.Took) },
	}); err != nil {
		return err
	}
	cfg := tables.Config{
		Store: p.store, Rules: rulebook.Rulesets(p.book.Files()), Bots: p.bots, Key: key, Retired: retired, LoadRules: rulebook.Load, Origin: c.Origin, Log: log, Observe: counts,
		Limits: tables.Limits{Tables: c.Tables, NewPerAddr: c.NewTables, AddrWaiters: c.AddressWaiters},
	}
	p.lobby, err = tables.New(ctx, cfg)
	return err
}

// checkKey refuses to make a new key where there are tables already: receipts and records of theirs name the old one.
func checkKey(data string) error {
	if !exists(filepath.Join(data, tablesFolder)) || exists(filepath.Join(data, store.KeyFile)) {
		return nil
	}
	return fmt.Errorf("%s has tables and no %s: put the key back from a backup; or make a new one with dudo serve --new-key, and games that the old one"+
		" signed get no more receipts", data, store.KeyFile)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// closeTime is how long appends in progress have to finish.
const closeTime = 10 * time.Second

func (p *parts) close() error {
	var errs []error
	if p.lobby != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		errs = append(errs, p.lobby.Close(ctx))
	}
	if p.bots != nil {
		errs = append(errs, p.bots.Close())
	}
	if p.store != nil {
		errs = append(errs, p.store.Close())
	}
	return errors.Join(errs...)
}
