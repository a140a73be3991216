package io.ojs.boot;

import java.io.File;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class OjsBackgroundPreinitializerTests {

	/** The last two are for whoever writes and reads. */
	private static final List<String> WANTED = List.of("com.rabbitmq.client.ConnectionFactory",
			"tools.jackson.databind.json.JsonMapper", "tools.jackson.core.json.JsonWriteContext",
			"tools.jackson.core.json.JsonReadContext");

	@Test
	void springBootFindsIt() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
			.load(BackgroundPreinitializer.class)).hasAtLeastOneElementOfType(OjsBackgroundPreinitializer.class);
	}

	@Test
	void loadsWhatTheFirstBeansWouldWaitFor() throws Exception {
		try (FreshClasses classes = new FreshClasses()) {
			Class<?> type = classes.loadClass(OjsBackgroundPreinitializer.class.getName());
			Object preinitializer = ReflectionUtils.accessibleConstructor(type).newInstance();
			assertThat(WANTED).noneMatch(classes::isLoaded);
			Method preinitialize = type.getMethod("preinitialize");
			// The class is nobody's business but Spring Boot's.
			preinitialize.setAccessible(true);
			preinitialize.invoke(preinitializer);
			assertThat(WANTED).allMatch(classes::isLoaded);
		}
	}

	/** The class path once more, with nothing loaded. */
	private static final class FreshClasses extends URLClassLoader {

		FreshClasses() {
			super(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
				.map(FreshClasses::url)
				.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
		}

		private static URL url(String entry) {
			try {
				return Path.of(entry).toUri().toURL();
			}
			catch (MalformedURLException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		boolean isLoaded(String name) {
			return findLoadedClass(name) != null;
		}

	}

}
