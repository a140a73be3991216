package io.ojs.dashboard.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The files of the dashboard, in memory. Their version is a hash of all, so that two
 * builds with the same files have the same.
 */
public final class DashboardFiles {

	private static final String FOLDER = "io/ojs/dashboard/";

	private static final String[] PATTERNS = { "js/**/*.js", "css/*.css", "vendor/**/*.*", "vendor/*/LICENSE", "*.svg",
			"*.html" };

	private final Map<String, DashboardFile> files = new TreeMap<>();

	private final String version;

	/**
	 * Reads the files from the class path.
	 * @throws IllegalStateException if there are none
	 */
	public DashboardFiles() {
		try {
			PathMatchingResourcePatternResolver resolver = new PathMatchingResourcePatternResolver(
					DashboardFiles.class.getClassLoader());
			for (String pattern : PATTERNS) {
				for (Resource resource : resolver.getResources("classpath*:" + FOLDER + pattern)) {
					String url = resource.getURL().toString();
					String path = url.substring(url.lastIndexOf(FOLDER) + FOLDER.length());
					this.files.put(path, DashboardFile.of(path, resource.getContentAsByteArray()));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (!this.files.containsKey("index.html")) {
			throw new IllegalStateException("The class path has no files of the dashboard below " + FOLDER + ".");
		}
		this.version = hash(this.files.values());
	}

	private static String hash(Collection<DashboardFile> files) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (DashboardFile file : files) {
				digest.update(file.path().getBytes(StandardCharsets.UTF_8));
				digest.update(file.bytes());
			}
			return HexFormat.of().formatHex(digest.digest(), 0, 6);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A part of the URLs of all files, which changes with any of them. */
	String version() {
		return this.version;
	}

	/** The file of a path; {@code null} if there is none. */
	@Nullable DashboardFile find(String path) {
		return path.endsWith(".html") ? null : this.files.get(path);
	}

	/** The text of a template. */
	String template(String path) {
		DashboardFile file = this.files.get(path);
		if (file == null) {
			throw new IllegalArgumentException("There is no template '%s'.".formatted(path));
		}
		return new String(file.bytes(), StandardCharsets.UTF_8);
	}

	Collection<DashboardFile> all() {
		return this.files.values();
	}

}
