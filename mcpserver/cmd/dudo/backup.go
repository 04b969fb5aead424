package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dudo.example/store"
)

func backupCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write all tables of a stopped server into a file",
		Long: "Backup writes every table, running ones with their seeds and the hashes of their tokens, into a new file that only its owner\n" +
			"can read. The server must not be running. Its key, server.key in the data folder, is not in the file: keep a copy elsewhere.",
		Example: "  dudo backup --data /var/lib/dudo dudo.backup",
		Args:    oneArg("the file to write"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			dir := filepath.Join(data, tablesFolder)
			if _, err := os.Stat(dir); err != nil {
				return fmt.Errorf("there are no tables in %s: %w", data, err)
			}
			s, err := store.Open(dir, store.Options{})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			out, err := os.OpenFile(args[0], os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			if err := errors.Join(s.Backup(cmd.Context(), out), out.Sync(), out.Close()); err != nil {
				return errors.Join(err, os.Remove(args[0]))
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s holds all tables. Keep a copy of %s apart from it.\n", args[0], filepath.Join(data, store.KeyFile))
			return err
		},
	}
	dataFlag(cmd.Flags(), &data)
	return cmd
}

func restoreCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:     "restore FILE",
		Short:   "Put the tables of a backup into a data folder that has none",
		Long:    "Restore reads what backup wrote. The server's key is not in it: put your copy of server.key into the data folder as well.",
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
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The tables are in %s; put your copy of %s there too.\n", data, store.KeyFile)
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
