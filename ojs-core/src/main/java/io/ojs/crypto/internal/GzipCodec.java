package io.ojs.crypto.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import io.ojs.crypto.PayloadCodec;

/**
 * Compresses large arguments (OJS Encryption §7).
 */
public final class GzipCodec implements PayloadCodec {

	/** The name of the encoding. */
	public static final String ENCODING = "gzip/plain";

	private final int fromBytes;

	private final int maxBytes;

	/**
	 * Creates the codec.
	 * @param fromBytes smaller arguments are not compressed
	 * @param maxBytes larger arguments are neither compressed nor decompressed; the same
	 * in all applications
	 */
	public GzipCodec(int fromBytes, int maxBytes) {
		this.fromBytes = fromBytes;
		this.maxBytes = maxBytes;
	}

	@Override
	public String encoding() {
		return ENCODING;
	}

	@Override
	public byte[] encode(byte[] plain) {
		// Arguments that no worker would decompress stay as they are: the check of the
		// envelope's size rejects them.
		if (plain.length < this.fromBytes || plain.length > this.maxBytes) {
			return plain;
		}
		ByteArrayOutputStream compressed = new ByteArrayOutputStream(plain.length / 2);
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(plain);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return (compressed.size() < plain.length) ? compressed.toByteArray() : plain;
	}

	@Override
	public byte[] decode(byte[] encoded) {
		try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(encoded))) {
			byte[] plain = gzip.readNBytes(this.maxBytes);
			if (gzip.read() >= 0) {
				throw new IllegalArgumentException(
						"it is larger than %d bytes when it is decompressed".formatted(this.maxBytes));
			}
			return plain;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
