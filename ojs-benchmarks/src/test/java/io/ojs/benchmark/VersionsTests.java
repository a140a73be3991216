package io.ojs.benchmark;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class VersionsTests {

	@TempDir
	Path folder;

	@Test
	void theChecksumIsThatOfTheCodeThatFiguresDependOn() throws IOException {
		String before = checksum();
		write("io/ojs/benchmark/page/Page.class", "other");
		write("io/ojs/benchmark/Plan.class", "other");
		assertThat(checksum()).isEqualTo(before);

		write("io/ojs/benchmark/measure/Drain.class", "other");
		String measuring = checksum();
		assertThat(measuring).isNotEqualTo(before);
		write("io/ojs/Job.class", "other");
		assertThat(checksum()).isNotEqualTo(measuring);
	}

	@Test
	void jarsHaveTheChecksumOfTheirFiles() throws IOException {
		write("io/ojs/Job.class", "job");
		Path jar = jar("ojs-core.jar");

		assertThat(Versions.checksum(jar + File.pathSeparator + jar("abacus.jar"))).isEqualTo(checksum());
	}

	private String checksum() throws IOException {
		return Versions.checksum(this.folder.resolve("classes").toString());
	}

	private void write(String name, String text) throws IOException {
		Path file = this.folder.resolve("classes").resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private Path jar(String name) throws IOException {
		Path file = this.folder.resolve(name);
		try (OutputStream out = Files.newOutputStream(file); JarOutputStream jar = new JarOutputStream(out)) {
			jar.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
			jar.write(name.getBytes());
			jar.putNextEntry(new JarEntry("io/ojs/Job.class"));
			jar.write("job".getBytes());
		}
		return file;
	}

}
