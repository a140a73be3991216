package io.ojs.test.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class HostSuiteTests {

	@TempDir
	@SuppressWarnings("NullAway.Init")
	Path folder;

	@Test
	void takesDebiansOwnSuite() throws IOException {
		assertThat(suite("ID=debian\nVERSION_CODENAME=trixie\n")).isEqualTo("trixie");
	}

	@Test
	void takesUbuntusOwnSuiteAlsoOnDerivatives() throws IOException {
		assertThat(suite("ID=linuxmint\nVERSION_CODENAME=wilma\nUBUNTU_CODENAME=\"noble\"\n")).isEqualTo("noble");
	}

	@Test
	void takesBookwormOnAnUnknownSuite() throws IOException {
		assertThat(suite("ID=debian\nVERSION_CODENAME=buster\n")).isEqualTo("bookworm");
	}

	@Test
	void takesBookwormWhereThereIsNoSuchFile() {
		assertThat(HostSuite.read(this.folder.resolve("absent"))).isEqualTo("bookworm");
	}

	private String suite(String osRelease) throws IOException {
		return HostSuite.read(Files.writeString(this.folder.resolve("os-release"), osRelease));
	}

}
