package io.ojs.sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;

/**
 * Photos and their renditions in a directory: one subdirectory for each photo, with the
 * original, its name, and one file for each {@link Rendition}. The library ignores other
 * content of the directory, such as the database of jobs.
 *
 * <p>
 * Every path consists of names that the library creates. The name that a client gives a
 * file is only stored as text, and an id in another form matches no photo.
 */
@Component
class PhotoLibrary {

	private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

	private static final String NAME = "name.txt";

	private static final String ORIGINAL = "original.";

	private final Path directory;

	PhotoLibrary(GalleryProperties properties) throws IOException {
		this.directory = Files.createDirectories(properties.directory().toAbsolutePath());
	}

	/**
	 * Stores a photo.
	 * @param name its name, already {@link FileNames#clean clean}
	 * @param kind its kind
	 * @param content the file
	 * @return the photo
	 */
	Photo add(String name, ImageKind kind, InputStream content) throws IOException {
		// Gets its final name only when it is complete.
		Path incoming = Files.createTempDirectory(this.directory, "incoming-");
		try {
			Files.copy(content, incoming.resolve(ORIGINAL + kind.extension()));
			Files.writeString(incoming.resolve(NAME), name);
			Path kept = this.directory.resolve(UUID.randomUUID().toString());
			Files.move(incoming, kept, StandardCopyOption.ATOMIC_MOVE);
			return read(kept);
		}
		finally {
			FileSystemUtils.deleteRecursively(incoming);
		}
	}

	private static Photo read(Path kept) throws IOException {
		try (Stream<Path> files = Files.list(kept)) {
			Path original = files.filter((file) -> file.getFileName().toString().startsWith(ORIGINAL))
				.findFirst()
				.orElseThrow(() -> new NoSuchFileException(kept.resolve(ORIGINAL + "*").toString()));
			return new Photo(kept.getFileName().toString(), Files.readString(kept.resolve(NAME)),
					ImageKind.of(original.getFileName().toString()).orElse(ImageKind.JPEG), original,
					Files.size(original), Files.getLastModifiedTime(original).toInstant());
		}
	}

	/**
	 * Finds a photo.
	 * @param id any text; a text that is not an id matches no photo
	 * @return the photo, if it exists
	 */
	Optional<Photo> find(String id) {
		if (!ID.matcher(id).matches()) {
			return Optional.empty();
		}
		try {
			return Optional.of(read(this.directory.resolve(id)));
		}
		catch (NoSuchFileException ex) {
			return Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * All photos.
	 * @return the newest first
	 */
	List<Photo> list() {
		List<Photo> photos = new ArrayList<>();
		try (Stream<Path> directories = Files.list(this.directory)) {
			directories.map((photo) -> photo.getFileName().toString())
				.map(this::find)
				.flatMap(Optional::stream)
				.forEach(photos::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		photos.sort(Comparator.comparing(Photo::addedAt).thenComparing(Photo::id).reversed());
		return photos;
	}

	/**
	 * The file of a rendition.
	 * @param photo the photo
	 * @param rendition the rendition
	 * @return its file, if a job has written it
	 */
	Optional<Path> find(Photo photo, Rendition rendition) {
		return Optional.of(photo.directory().resolve(rendition.fileName())).filter(Files::isRegularFile);
	}

	/**
	 * Stores the result of a job. Jobs run at least once, and the page may be reading the
	 * file of an earlier run: the new file replaces it in one step.
	 * @param photo the photo
	 * @param rendition the rendition
	 * @param content the file
	 */
	void keep(Photo photo, Rendition rendition, byte[] content) throws IOException {
		Path unfinished = Files.createTempFile(photo.directory(), "unfinished-", "");
		try {
			Files.write(unfinished, content);
			Files.move(unfinished, photo.directory().resolve(rendition.fileName()), StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(unfinished);
		}
	}

	/**
	 * Deletes a photo and its renditions.
	 * @param photo the photo
	 */
	void delete(Photo photo) throws IOException {
		// Moves the directory away in one step, because a job may be about to write into
		// it.
		Path removed = this.directory.resolve("removed-" + photo.id());
		Files.move(photo.directory(), removed, StandardCopyOption.ATOMIC_MOVE);
		FileSystemUtils.deleteRecursively(removed);
	}

}
