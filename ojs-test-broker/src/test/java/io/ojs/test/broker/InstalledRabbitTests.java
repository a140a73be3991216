package io.ojs.test.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where an installed RabbitMQ is looked for, on trees laid out as packages and archives
 * lay them out.
 */
class InstalledRabbitTests {

	@TempDir
	@SuppressWarnings("NullAway.Init")
	Path folder;

	@SuppressWarnings("NullAway.Init")
	private Path root;

	@BeforeEach
	void resolveLinks() throws IOException {
		this.root = this.folder.toRealPath();
	}

	@Test
	void findsPackageBehindScriptThatChangesUser() throws IOException {
		Path scripts = scripts("usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/sbin");
		link("usr/sbin/rabbitmq-server", program("usr/lib/rabbitmq/bin/rabbitmq-script-wrapper"));
		Path erlang = erlang("usr/lib/erlang/bin");
		link("usr/bin/erl", erlang.resolve("erl"));
		assertThat(look("usr/sbin", "usr/bin"))
			.isEqualTo(new Lookup.Found<>(new RabbitInstallation(scripts, erlang, Map.of())));
	}

	@Test
	void findsArchiveOrHomebrewBehindLink() throws IOException {
		Path scripts = scripts("opt/rabbitmq_server-4.1.0/sbin");
		link("bin/rabbitmq-server", scripts.resolve("rabbitmq-server"));
		Path erlang = erlang("opt/erlang/bin");
		link("bin/erl", erlang.resolve("erl"));
		assertThat(look("bin")).isEqualTo(new Lookup.Found<>(new RabbitInstallation(scripts, erlang, Map.of())));
	}

	@Test
	void saysWhereItHasLooked() {
		assertThat(look("bin"))
			.isEqualTo(new Lookup.Absent<>("neither on the PATH nor in " + this.root.resolve("usr/lib/rabbitmq/lib")));
	}

	@Test
	void saysThatErlangIsMissing() throws IOException {
		Path scripts = scripts("usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/sbin");
		assertThat(look("usr/bin"))
			.isEqualTo(new Lookup.Absent<>("found in " + scripts + ", but there is no erl with its epmd on the PATH"));
	}

	private Lookup<RabbitInstallation> look(String... path) {
		return new InstalledRabbit(this.root, List.of(path).stream().map(this.root::resolve).toList()).look();
	}

	private Path scripts(String name) throws IOException {
		program(name + "/rabbitmq-server");
		program(name + "/rabbitmqctl");
		return program(name + "/rabbitmq-env").getParent();
	}

	private Path erlang(String name) throws IOException {
		program(name + "/erl");
		return program(name + "/epmd").getParent();
	}

	private Path program(String name) throws IOException {
		Path program = this.root.resolve(name);
		Files.createDirectories(program.getParent());
		Files.writeString(program, "#!/bin/sh\n");
		return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	private void link(String name, Path target) throws IOException {
		Path link = this.root.resolve(name);
		Files.createDirectories(link.getParent());
		Files.createSymbolicLink(link, target);
	}

}
