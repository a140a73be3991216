package io.ojs.sample;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Photos on the disk.
 */
class PhotoLibraryTests {

	@TempDir
	private Path directory;

	private PhotoLibrary library;

	@BeforeEach
	void open() throws Exception {
		this.library = new PhotoLibrary(new GalleryProperties(this.directory, 10, DataSize.ofMegabytes(1),
				Duration.ofDays(1), "@daily", "UTC"));
	}

	private Photo add(String name) throws Exception {
		return this.library.add(name, ImageKind.JPEG, new ByteArrayInputStream(new byte[] { 1, 2, 3 }));
	}

	@Test
	void photosAreThereAfterRestart() throws Exception {
		Photo photo = add("été à Zürich 日本.jpg");
		this.library.keep(photo, Rendition.THUMBNAIL, new byte[] { 4 });
		open();
		assertThat(this.library.list()).containsExactly(photo);
		assertThat(this.library.find(photo.id())).contains(photo);
		assertThat(this.library.find(photo, Rendition.THUMBNAIL)).isPresent();
		assertThat(this.library.find(photo, Rendition.PAINTING)).isEmpty();
	}

	@Test
	void halfAnUploadAndForeignFilesAreNoPhotos() throws Exception {
		Files.createDirectory(this.directory.resolve("incoming-17"));
		Files.createDirectory(this.directory.resolve("0f0e0d0c-0000-4000-8000-000000000000"));
		Files.writeString(this.directory.resolve("notes.txt"), "hello");
		assertThat(this.library.list()).isEmpty();
	}

	@Test
	void nothingIsLeftOfDeletedPhoto() throws Exception {
		this.library.delete(add("a.jpg"));
		assertThat(this.directory).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "../x", "name.txt", "%2e%2e", "0f0e0d0c-0000-4000-8000-00000000000G" })
	void whatIsNoIdFindsNothing(String id) {
		assertThat(this.library.find(id)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			../../etc/passwd.jpg,          passwd.jpg
			C:\\Users\\me\\beach day.jpg,  beach day.jpg
			<b>bold</b>.png,               b_.png
			...hidden.jpg,                 hidden.jpg
			..,                            photo
			'',                            photo
			/,                             photo
			a"b'c;d&e$f.jpg,               a_b_c_d_e_f.jpg
			été 日本.jpg,                    été 日本.jpg
			""")
	void namesAreMadePresentable(String fromClient, String shown) {
		assertThat(FileNames.clean(fromClient)).isEqualTo(shown);
	}

	@Test
	void longNamesAreCutAndKeepTheirExtension() {
		assertThat(FileNames.clean("日".repeat(300) + ".jpeg")).endsWith("日.jpeg").hasSizeLessThan(50);
	}

}
