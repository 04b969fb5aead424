package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dudo.example/mcpserver/tables"
	"dudo.example/store"
)

func backupCommand() *cobra.Command {
	var data, admin string
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write all tables into a file, while the server runs or after",
		Long: "Backup writes every table into a new file that only its owner can read: finished games whole, and running ones without their\n" +
			"seeds and tokens, so that nobody can go on with them from the file: a server that did would sign events other than those it has\n" +
			"signed. To move running games, stop the server and move its data folder.\n\n" +
			"A running server is asked at its admin address. Its keys are not in the file: keep copies elsewhere; see dudo keys.",
		Example: "  dudo backup --admin 127.0.0.1:8788 dudo.backup\n  dudo backup --data /var/lib/dudo dudo.backup",
		Args:    oneArg("the file to write"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			write := func(w io.Writer) error { return backupOf(cmd.Context(), data, w) }
			if admin != "" {
				write = func(w io.Writer) error { return backupFrom(cmd.Context(), admin, w) }
			}
			out, err := os.OpenFile(args[0], os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			if err := errors.Join(write(out), out.Sync(), out.Close()); err != nil {
				return errors.Join(err, os.Remove(args[0]))
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s holds all tables. Keep copies of %s and %s of the data folder apart from it.\n",
				args[0], store.KeyFile, store.RetiredFolder)
			return err
		},
	}
	dataFlag(cmd.Flags(), &data)
	cmd.Flags().StringVar(&admin, "admin", os.Getenv("DUDO_ADMIN"), "the admin address of the running server")
	return cmd
}

// backupOf writes the tables of a stopped server.
func backupOf(ctx context.Context, data string, w io.Writer) (err error) {
	dir := filepath.Join(data, tablesFolder)
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("there are no tables in %s: %w", data, err)
	}
	s, err := store.Open(dir, store.Options{})
	if errors.Is(err, store.ErrInUse) {
		return fmt.Errorf("%w; ask the running server with --admin and its admin address", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Backup(ctx, w, tables.Secret)
}

// backupFrom writes the tables of a running server.
func backupFrom(ctx context.Context, admin string, w io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+admin+backupPath, http.NoBody)
	if err != nil {
		return fmt.Errorf("--admin is an address such as 127.0.0.1:8788: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("there is no server that was started with --admin %s: %w", admin, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s answered %s", admin, res.Status)
	}
	z, err := gzip.NewReader(io.TeeReader(res.Body, w)) // whose checksum is the copy's last word
	if err == nil {
		_, err = io.Copy(io.Discard, z) //nolint:gosec // nothing is kept of what it unpacks to
	}
	if err != nil {
		return fmt.Errorf("the backup was cut short: %w", err)
	}
	return nil
}

// backupPath is where a running server's admin address gives its backup.
const backupPath = "/backup"

// serveBackup streams a backup. A copy that fails in the middle ends without the checksum that makes it one.
func serveBackup(s *store.Store, log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/gzip")
		if err := s.Backup(r.Context(), w, tables.Secret); err != nil {
			log.Error("a backup failed", "error", err)
			panic(http.ErrAbortHandler) // so that the client sees a broken answer
		}
		log.Info("a backup was written")
	}
}

func restoreCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put the tables of a backup into a data folder that has none",
		Long: "Restore reads what backup wrote. Games that were running then are lost: their records end where the backup was made, and nobody can\n" +
			"play on. The server's keys are not in it: put your copies of server.key and retired-keys into the data folder as well.",
		Example: "  dudo restore --data /var/lib/dudo dudo.backup",
		Args:    oneArg("the file that backup wrote"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer func() { _ = in.Close() }()
			if err := store.Restore(filepath.Join(data, tablesFolder), in); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The tables are in %s; put your copies of %s and %s there too.\n",
				data, store.KeyFile, store.RetiredFolder)
			return err
		},
	}
	dataFlag(cmd.Flags(), &data)
	return cmd
}

func dataFlag(flags *pflag.FlagSet, data *string) {
	flags.StringVar(data, "data", fromEnvironment("DUDO_DATA", "./dudo-data"), "the server's data folder")
}

func fromEnvironment(variable, otherwise string) string {
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return otherwise
}
