// A TLS server or client of Go's library, which takes X25519MLKEM768 and nothing else, for tests/others.rs:
//
//	go run peer.go server CERTIFICATE KEY    prints its address, and echoes what one client sends
//	go run peer.go client CERTIFICATE ADDRESS    sends a line, and prints the answer
//
// Either prints the group and suite of the connection.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"os"
)

func main() {
	config := &tls.Config{
		MinVersion:       tls.VersionTLS13,
		CurvePreferences: []tls.CurveID{tls.X25519MLKEM768},
	}
	if os.Args[1] == "server" {
		serve(config)
		return
	}
	pem, err := os.ReadFile(os.Args[2])
	must(err)
	config.RootCAs = x509.NewCertPool()
	config.RootCAs.AppendCertsFromPEM(pem)
	config.ServerName = "localhost"
	connection, err := tls.Dial("tcp", os.Args[3], config)
	must(err)
	fmt.Fprintln(connection, "a line from Go")
	answer, err := bufio.NewReader(connection).ReadString('\n')
	must(err)
	fmt.Print(answer)
	tell(connection)
	must(connection.Close())
}

func serve(config *tls.Config) {
	pair, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	must(err)
	config.Certificates = []tls.Certificate{pair}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	must(err)
	fmt.Println(listener.Addr())
	accepted, err := listener.Accept()
	must(err)
	connection := accepted.(*tls.Conn)
	_, err = io.Copy(connection, connection)
	must(err)
	tell(connection)
	must(connection.Close())
}

func tell(connection *tls.Conn) {
	state := connection.ConnectionState()
	fmt.Println(state.CurveID, tls.CipherSuiteName(state.CipherSuite))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
