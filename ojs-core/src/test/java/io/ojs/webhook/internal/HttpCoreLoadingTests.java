package io.ojs.webhook.internal;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * HttpCore is optional: the sender loads it with the first event, and not before.
 */
class HttpCoreLoadingTests {

	@Test
	void theFirstEventLoadsHttpCore() throws Exception {
		try (FreshClasses classes = new FreshClasses()) {
			Class<?> type = classes.loadClass("io.ojs.webhook.internal.SocketWebhookSender");
			Object sender = type.getConstructor(boolean.class).newInstance(true);
			// As Spring does.
			assertThat(List.of(type.getDeclaredMethods())).isNotEmpty();
			assertThat(classes.httpCore).isEmpty();
			int port;
			try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
				port = closed.getLocalPort();
			}
			assertThatException()
				.isThrownBy(() -> type.getMethod("post", URI.class, Map.class, byte[].class, Duration.class)
					.invoke(sender, URI.create("http://localhost:" + port + "/"), Map.of(), new byte[0],
							Duration.ofSeconds(20)))
				.havingRootCause()
				.withMessageContaining("cannot be connected to");
			assertThat(classes.httpCore).isNotEmpty();
			((AutoCloseable) sender).close();
		}
	}

	/** The class path once more, with nothing loaded. */
	private static final class FreshClasses extends URLClassLoader {

		private final Set<String> httpCore = ConcurrentHashMap.newKeySet();

		FreshClasses() throws IOException {
			super(urls(), ClassLoader.getPlatformClassLoader());
		}

		private static URL[] urls() throws IOException {
			String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
			URL[] urls = new URL[entries.length];
			for (int i = 0; i < entries.length; i++) {
				urls[i] = Path.of(entries[i]).toUri().toURL();
			}
			return urls;
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (name.startsWith("org.apache.hc.")) {
				this.httpCore.add(name);
			}
			return super.findClass(name);
		}

	}

}
