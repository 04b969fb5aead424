package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dudo.example/mcpserver"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tools"
)

// config is what serve is told, by flags, by DUDO_* variables and by a config file, in this order of precedence.
type config struct {
	Addr              string   `koanf:"addr" json:"addr"`
	Admin             string   `koanf:"admin" json:"admin"`
	Data              string   `koanf:"data" json:"data"`
	Rules             []string `koanf:"rules" json:"rules"`
	Plugins           string   `koanf:"plugins" json:"plugins"`
	Origin            string   `koanf:"origin" json:"origin"`
	Hosts             []string `koanf:"hosts" json:"hosts"`
	TrustedProxies    []string `koanf:"trusted-proxies" json:"trusted-proxies"`
	Tables            int      `koanf:"tables" json:"tables"`
	RequestsPerMinute int      `koanf:"requests-per-minute" json:"requests-per-minute"`
	NewTables         int      `koanf:"new-tables" json:"new-tables"`
	AddressWaiters    int      `koanf:"address-waiters" json:"address-waiters"`
	Connections       int      `koanf:"connections" json:"connections"`
	NewKey            bool     `koanf:"new-key" json:"new-key"`
	LogFormat         string   `koanf:"log-format" json:"log-format"`
	LogLevel          string   `koanf:"log-level" json:"log-level"`

	unknown []string // DUDO_* variables that are no settings
	proxies []netip.Prefix
	level   slog.Level
}

// defaultOrigin is the server's name if nobody gives it one.
const defaultOrigin = "dudo.example"

// configFlags declares the settings; their names are also those of the config file and, in capitals with DUDO_, of the
// environment.
func configFlags(f *pflag.FlagSet) {
	f.String("config", "", "a YAML file with settings, named as these flags are")
	f.String("addr", "127.0.0.1:8787", "address to serve on")
	f.String("admin", "", "address for /metrics, /healthz, /readyz and dudo backup, such as 127.0.0.1:8788; none if empty")
	f.String("data", "./dudo-data", "folder for tables and the server's key; made if it does not exist")
	f.StringSlice("rules", nil, "rule files, folders of them or ids of games that ship, to offer besides those of liar's dice; the first that is no folder is the default")
	f.String("plugins", "", "folder of bots, files named dudo-bot-NAME; none if empty")
	f.Bool("new-key", false, "make a new server's key although there are tables that an old one signed")
	f.String("origin", defaultOrigin, "the server's name in records and receipts")
	f.StringSlice("hosts", nil, "host names to answer to besides localhost")
	f.StringSlice("trusted-proxies", nil, "networks whose X-Forwarded-For is believed, such as 10.0.0.0/8")
	f.Int("tables", 200, "most open tables")
	f.Int("requests-per-minute", 120, "most requests of an address a minute; -1 for no limit")
	f.Int("new-tables", 10, "most new tables of an address in ten minutes")
	f.Int("address-waiters", 8, "most calls of an address that wait at once; it has 16 connections for each")
	f.Int("connections", 8000, "most open connections; half of the files that the process may open, if that is less")
	f.String("log-format", "text", "text or json")
	f.String("log-level", "info", "debug, info, warn or error")
}

// loadConfig reads the settings and checks them. The error names every setting that is wrong.
func loadConfig(flags *pflag.FlagSet) (*config, error) {
	k := koanf.New(".")
	path, err := flags.GetString("config")
	if err != nil {
		return nil, err
	}
	if path == "" {
		path = os.Getenv("DUDO_CONFIG")
	}
	known := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	if path != "" {
		if err := k.Load(file.Provider(path), yaml.Parser()); err != nil {
			return nil, usageError{fmt.Errorf("config file %s: %w", path, err)}
		}
		for _, name := range k.Keys() {
			if !known[name] {
				return nil, usageError{fmt.Errorf("config file %s: there is no setting %q; see dudo serve --help", path, name)}
			}
		}
	}
	variables := env.Provider(".", env.Opt{Prefix: "DUDO_", TransformFunc: func(name, value string) (string, any) {
		name = strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "DUDO_")), "_", "-")
		switch {
		case !known[name] || value == "":
			return "", nil
		case name == "rules" || name == "hosts" || name == "trusted-proxies":
			return name, strings.Split(value, ",")
		}
		return name, value
	}})
	if err := k.Load(variables, nil); err != nil {
		return nil, err
	}
	if err := k.Load(posflag.Provider(flags, ".", k), nil); err != nil {
		return nil, err
	}
	var c config
	for _, name := range k.Keys() {
		if f := flags.Lookup(name); f != nil && f.Value.Type() == "int" {
			if _, err := strconv.Atoi(k.String(name)); err != nil {
				return nil, usageError{fmt.Errorf("%s: %q is no number", name, k.String(name))}
			}
		}
	}
	if err := k.Unmarshal("", &c); err != nil {
		return nil, usageError{err}
	}
	c.unknown = unknownVariables(known)
	if err := c.check(); err != nil {
		return nil, usageError{err}
	}
	return &c, nil
}

// originForm is what the origin of a record can be: it is signed between colons.
var originForm = regexp.MustCompile(`^[a-z0-9.-]{1,253}$`)

// unknownVariables are those of the environment that look like settings and are none.
func unknownVariables(known map[string]bool) (list []string) {
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		setting, ok := strings.CutPrefix(name, "DUDO_")
		if ok && value != "" && !known[strings.ReplaceAll(strings.ToLower(setting), "_", "-")] {
			list = append(list, name)
		}
	}
	return list
}

func (c *config) check() error {
	var errs []error
	wrong := func(name, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{name}, args...)...))
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		wrong("addr", "%q is no address; use one such as 127.0.0.1:8787", c.Addr)
	}
	if c.Admin != "" {
		if _, _, err := net.SplitHostPort(c.Admin); err != nil {
			wrong("admin", "%q is no address; use one such as 127.0.0.1:8788", c.Admin)
		}
	}
	if c.Data == "" {
		wrong("data", "name a folder")
	}
	if !originForm.MatchString(c.Origin) {
		wrong("origin", "use a host name such as dudo.example")
	}
	for _, p := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(p)
		if err != nil {
			wrong("trusted-proxies", "%q is no network; use one such as 10.0.0.0/8", p)
		}
		c.proxies = append(c.proxies, prefix)
	}
	if c.Tables < 1 {
		wrong("tables", "use a number from 1")
	}
	if c.NewTables < 1 {
		wrong("new-tables", "use a number from 1")
	}
	if c.AddressWaiters < 1 {
		wrong("address-waiters", "use a number from 1")
	}
	if c.Connections < 1 {
		wrong("connections", "use a number from 1")
	}
	if c.RequestsPerMinute == 0 {
		wrong("requests-per-minute", "use a number from 1, or -1 for no limit")
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		wrong("log-format", "use text or json")
	}
	if err := c.level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		wrong("log-level", "use debug, info, warn or error")
	}
	return errors.Join(errs...)
}

// logger writes to standard error.
func (c *config) logger() *slog.Logger {
	o := &slog.HandlerOptions{Level: c.level}
	var h slog.Handler = slog.NewTextHandler(os.Stderr, o)
	if c.LogFormat == "json" {
		h = slog.NewJSONHandler(os.Stderr, o)
	}
	return slog.New(mcpserver.WithRequest(h))
}

func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show or check the settings of serve", Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	show := &cobra.Command{
		Use:   "print",
		Short: "Print the settings that serve would use, as JSON",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags())
			if err != nil {
				return err
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetIndent("", "  ")
			return e.Encode(c)
		},
	}
	check := &cobra.Command{
		Use:   "check",
		Short: "Check the settings, and the rule files that they name",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags())
			if err != nil {
				return err
			}
			if len(c.unknown) > 0 {
				return fmt.Errorf("no settings of dudo: %s; dudo serve --help lists those there are", strings.Join(c.unknown, ", "))
			}
			files, err := rulebook.Offer(c.Rules)
			if err == nil {
				err = tools.Check(rulebook.Rulesets(files), nil)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The settings are right; %s on offer.\n", plural(len(files), "rule file"))
			return err
		},
	}
	configFlags(show.Flags())
	configFlags(check.Flags())
	cmd.AddCommand(show, check)
	return cmd
}
