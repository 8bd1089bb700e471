"""Certificates for tests of HTTPS, which nobody but their own key signed. They are OpenSSL's."""

import pathlib
import shutil
import subprocess


def can_be_made():
    return shutil.which("openssl") is not None


def certificate_for(address, folder):
    """(a file of PEM with key and certificate, one with the certificate alone), for an IP address."""
    both, alone = pathlib.Path(folder, "class.pem"), pathlib.Path(folder, "only.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={address}", "-addext",
                    f"subjectAltName=IP:{address}", "-keyout", both, "-out", alone], check=True, capture_output=True)
    both.write_text(both.read_text() + alone.read_text())
    return both, alone
