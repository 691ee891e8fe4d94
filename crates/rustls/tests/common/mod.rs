//! Certificates, providers and configurations of the tests.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{CipherSuite, ClientConfig, NamedGroup, RootCertStore, ServerConfig, SupportedProtocolVersion};
use std::sync::Arc;

/// A provider: ring's, or ring's with fairlane's parts.
pub(crate) fn provider(ours: bool) -> CryptoProvider {
    if ours { fairlane_rustls::provider(ring::default_provider()) } else { ring::default_provider() }
}

/// The same with these suites only.
pub(crate) fn with_suites(mut provider: CryptoProvider, suites: &[CipherSuite]) -> CryptoProvider {
    provider.cipher_suites.retain(|suite| suites.contains(&suite.suite()));
    provider
}

/// The same with this group only.
pub(crate) fn with_group(mut provider: CryptoProvider, name: NamedGroup) -> CryptoProvider {
    provider.kx_groups.retain(|group| group.name() == name);
    provider
}

/// A self-signed certificate for `localhost`, and its key.
pub(crate) struct Identity {
    pub(crate) certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
    // The same for files.
    #[allow(dead_code)]
    pub(crate) pem: [String; 2],
}

impl Identity {
    pub(crate) fn new() -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let pem = [cert.pem(), signing_key.serialize_pem()];
        Self { certificate: cert.der().clone(), key, pem }
    }

    pub(crate) fn server(
        &self,
        provider: CryptoProvider,
        versions: &[&'static SupportedProtocolVersion],
    ) -> Arc<ServerConfig> {
        let config = ServerConfig::builder_with_provider(provider.into()).with_protocol_versions(versions).unwrap();
        let config = config.with_no_client_auth();
        config.with_single_cert(vec![self.certificate.clone()], self.key.clone_key()).unwrap().into()
    }

    pub(crate) fn client(
        &self,
        provider: CryptoProvider,
        versions: &[&'static SupportedProtocolVersion],
    ) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(provider.into()).with_protocol_versions(versions).unwrap();
        config.with_root_certificates(roots).with_no_client_auth().into()
    }
}
