package io.ojs.benchmark.page;

import java.nio.file.Files;
import java.nio.file.Path;

import io.ojs.benchmark.contender.Contenders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class FlameGraphsTests {

	private static final Profile BULK = Profile.throughput(Contenders.OJS, "bulk");

	@TempDir
	Path folder;

	@Test
	void withoutARecordingThereIsNoPage() throws Exception {
		Path recordings = Files.createDirectory(this.folder.resolve("recordings"));
		assertThatIOException().isThrownBy(() -> FlameGraphs.write(recordings, this.folder, BULK))
			.withMessageContaining(recordings.toString());
		assertThat(this.folder.resolve("performance/flame-ojs-bulk.html")).doesNotExist();
	}

	@Test
	void thoseOfAnEarlierRunGoAndNothingElseDoes() throws Exception {
		Path pages = Files.createDirectory(this.folder.resolve("performance"));
		Files.writeString(pages.resolve("flame-ojs-bulk.html"), "of last year");
		Files.writeString(pages.resolve("latency.svg"), "a plot");

		FlameGraphs.deleteAll(this.folder);

		assertThat(pages).isDirectoryNotContaining("glob:**.html").isDirectoryContaining("glob:**latency.svg");
	}

}
