package front

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Block returns the addresses that count as one client: an IPv4 address alone,
// and the /64 of an IPv6 address, of which a host usually has all.
func Block(addr netip.Addr) netip.Prefix {
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits) // the zero Prefix for the zero Addr
	return p
}

// clientAddr returns whom a request comes from. X-Forwarded-For is read from the
// right, where the nearest proxy wrote, as long as trusted proxies wrote it: the
// first address that is not one of them is the client. A field that is no address
// ends the reading, so a client that writes the header itself gains nothing.
func clientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	addr, ok := parseAddr(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, addr); i-- {
		next, ok := parseAddr(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		addr = next
	}
	return addr
}

// parseAddr reads an IP address with or without a port and brackets.
func parseAddr(s string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(s)
	if err != nil {
		host, _, splitErr := net.SplitHostPort(s)
		if splitErr != nil {
			host = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
		}
		if addr, err = netip.ParseAddr(host); err != nil {
			return netip.Addr{}, false
		}
	}
	return addr.Unmap().WithZone(""), true
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// hostSet returns the configured names in the form that hostAllowed looks up.
func hostSet(hosts []string) map[string]bool {
	set := map[string]bool{"localhost": true}
	for _, h := range hosts {
		set[hostName(h)] = true
	}
	return set
}

// hostAllowed reports whether a Host header names this server: a name of the set
// or a loopback address, with any port.
func hostAllowed(set map[string]bool, host string) bool {
	name := hostName(host)
	if set[name] {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}

// hostName returns a Host header without port, brackets, final dot and case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else {
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
