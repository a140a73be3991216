package io.ojs.dashboard.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * A file that a page loads.
 *
 * @param path below the folder of the files, such as {@code js/boot.js}
 */
record DashboardFile(String path, byte[] bytes, byte[] zipped) {

	private static final Map<String, String> TYPES = Map.of("js", "text/javascript;charset=UTF-8", "css",
			"text/css;charset=UTF-8", "svg", "image/svg+xml");

	static DashboardFile of(String path, byte[] bytes) {
		return new DashboardFile(path, bytes, zip(bytes));
	}

	/**
	 * Its type. A license has none of its own.
	 */
	String contentType() {
		return TYPES.getOrDefault(this.path.substring(this.path.lastIndexOf('.') + 1), "text/plain;charset=UTF-8");
	}

	private static byte[] zip(byte[] bytes) {
		ByteArrayOutputStream zipped = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new Best(zipped)) {
			out.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return zipped.toByteArray();
	}

	private static final class Best extends GZIPOutputStream {

		Best(ByteArrayOutputStream out) throws IOException {
			super(out);
			this.def.setLevel(Deflater.BEST_COMPRESSION);
		}

	}

}
