package io.ojs.test.broker;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ContainerSourceTests {

	/**
	 * A class loader of its own, and not Boot's filtered one: it has to be our classes
	 * that do not find Testcontainers.
	 */
	@Test
	void isAbsentWithoutTestcontainersOnTheClassPath() throws Exception {
		List<URL> classPath = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			if (!entry.contains("testcontainers") && !entry.contains("docker-java")) {
				classPath.add(Path.of(entry).toUri().toURL());
			}
		}
		try (URLClassLoader loader = new URLClassLoader(classPath.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			Class<?> type = loader.loadClass(ContainerSource.class.getName());
			var constructor = type.getDeclaredConstructor(String.class);
			constructor.setAccessible(true);
			var look = type.getDeclaredMethod("look");
			look.setAccessible(true);
			assertThat(look.invoke(constructor.newInstance("rabbitmq:4-management")))
				.hasToString("Absent[reason=org.testcontainers:testcontainers-rabbitmq is not on the class path]");
		}
	}

}
