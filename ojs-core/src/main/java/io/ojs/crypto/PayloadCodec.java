package io.ojs.crypto;

/**
 * Encodes the bytes of arguments (OJS Encryption §5). The codecs of an application are
 * applied before encryption, in their order, and undone after decryption. Must be
 * thread-safe.
 */
public interface PayloadCodec {

	/**
	 * The name of the encoding.
	 * @return a name such as {@code gzip/plain}, by which receivers find the codec
	 */
	String encoding();

	/**
	 * Encodes bytes.
	 * @param plain JSON, or the result of the codec before
	 * @return the encoded bytes; the same array to skip this codec
	 * @throws RuntimeException if the bytes cannot be encoded; {@code enqueue} throws an
	 * {@link UnencodableException}
	 */
	byte[] encode(byte[] plain);

	/**
	 * Decodes bytes.
	 * @param encoded the result of {@link #encode}, from this application or another one
	 * @return the bytes before {@link #encode}
	 * @throws RuntimeException if the bytes cannot be decoded; the job becomes a dead
	 * letter
	 */
	byte[] decode(byte[] encoded);

}
