package io.ojs.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.ojs.amqp.QueueContracts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages in {@code src/docs/queues} say what the gallery does.
 */
class QueueContractsTests {

	private static final Path PAGES = Path.of("..", "src", "docs", "queues");

	@Test
	@Tag("PLAY-1-1")
	@Tag("PLAY-8-1")
	void pagesAreUpToDate(@TempDir Path photos) {
		Map<String, String> written = new TreeMap<>();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(GalleryApplication.class)
			.web(WebApplicationType.NONE)
			// As arguments: the gallery's own properties would win over defaults.
			.run("--gallery.directory=" + photos, "--ojs.worker.enabled=false", "--ojs.topology.declaration=none")) {
			QueueContracts contracts = context.getBean(QueueContracts.class);
			contracts.queues().forEach((queue) -> written.put(queue + ".md", contracts.markdown(queue)));
		}
		assertThat(pages())
			.as("src/docs/queues is out of date; run src/scripts/queue-contracts and commit what it writes")
			.isEqualTo(written);
	}

	private static Map<String, String> pages() {
		try (Stream<Path> files = Files.list(PAGES)) {
			Map<String, String> pages = new TreeMap<>();
			for (Path file : files.toList()) {
				pages.put(file.getFileName().toString(), Files.readString(file));
			}
			return pages;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
