// The host name of a server, which tests change for several servers on one machine.
package keelson

import (
	"encoding/json"
	"net/url"
	"os"
	_ "unsafe"

	_ "k8s.io/apiserver/pkg/server"
)

// hostnameOf is what tests set by SetHostnameFuncForTests.
//
//go:linkname hostnameOf k8s.io/apiserver/pkg/server.hostnameFunc
var hostnameOf func() (string, error)

// hostnameArgs are the arguments of Node.js with which a child takes the test's host name for the machine's.
func hostnameArgs() []string {
	wanted, err := hostnameOf()
	own, err2 := os.Hostname()
	if err != nil || err2 != nil || wanted == own {
		return nil
	}
	name, _ := json.Marshal(wanted)
	code := "import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'; os.hostname = () => " + string(name) + "; syncBuiltinESMExports();"
	return []string{"--import", "data:text/javascript," + url.PathEscape(code)}
}
