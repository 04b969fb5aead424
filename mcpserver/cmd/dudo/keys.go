package main

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"dudo.example/core/record"
	"dudo.example/store"
)

// keyList is what dudo keys prints: public keys alone.
type keyList struct {
	Origin  string   `json:"origin"`
	Key     string   `json:"key"`
	Retired []string `json:"retired,omitempty"`
}

func keysCommand() *cobra.Command {
	var data, origin string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Show the server's public keys, for players to pin",
		Long: "Keys prints the public key that signs this server's receipts, and those that it has retired, as a file of pins that dudo-verify\n" +
			"--pins reads. Publish it where players trust it to be yours. A data folder without a key gets one, unless it has tables.",
		Example: "  dudo keys --data /var/lib/dudo > dudo.pins\n  dudo keys rotate --data /var/lib/dudo",
		Args:    knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkKey(data); err != nil {
				return err
			}
			key, err := store.ServerKey(data)
			if err != nil {
				return err
			}
			return printKeys(cmd.OutOrStdout(), data, origin, key, asJSON)
		},
	}
	rotate := &cobra.Command{
		Use:   "rotate",
		Short: "Give the server a new key and retire the old one",
		Long: "Rotate makes a new key, for games that are opened after the server's next start. The old one moves to " + store.RetiredFolder + " in the data\n" +
			"folder: the server goes on signing the games that it opened with it, and their receipts stay checkable.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, key, err := store.RotateKey(data)
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w; --data names the data folder of a server, and dudo keys makes the first key of a new one", err)
			}
			if err != nil {
				return err
			}
			if err := printKeys(cmd.OutOrStdout(), data, origin, key, asJSON); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "Restart the server to use the new key, publish this list, and keep copies of %s and %s.\n",
				filepath.Join(data, store.KeyFile), filepath.Join(data, store.RetiredFolder))
			return err
		},
	}
	flags := cmd.PersistentFlags()
	dataFlag(flags, &data)
	flags.StringVar(&origin, "origin", fromEnvironment("DUDO_ORIGIN", defaultOrigin), "the server's name in records and receipts")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(rotate)
	return cmd
}

func printKeys(out io.Writer, data, origin string, key ed25519.PrivateKey, asJSON bool) error {
	retired, err := store.RetiredKeys(data)
	if err != nil {
		return err
	}
	list := keyList{Origin: origin, Key: publicKey(key)}
	for _, k := range retired {
		list.Retired = append(list.Retired, publicKey(k))
	}
	if asJSON {
		return json.NewEncoder(out).Encode(list)
	}
	if _, err := fmt.Fprintf(out, "# signs new games\n%s %s\n", origin, list.Key); err != nil || len(list.Retired) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(out, "# retired; signed games that were opened before"); err != nil {
		return err
	}
	for _, k := range list.Retired {
		if _, err := fmt.Fprintf(out, "%s %s\n", origin, k); err != nil {
			return err
		}
	}
	return nil
}

func publicKey(key ed25519.PrivateKey) string {
	return record.KeyText(key.Public().(ed25519.PublicKey))
}
