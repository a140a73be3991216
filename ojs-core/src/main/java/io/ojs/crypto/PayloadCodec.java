package io.ojs.crypto;

/**
 * Changes the bytes of arguments on their way (OJS Encryption §5). Those of an
 * application are applied before encryption, in their order, and undone after it. Used by
 * many threads at a time.
 */
public interface PayloadCodec {

	/**
	 * What it makes is called.
	 * @return a name such as {@code gzip/plain}, by which receivers know how to undo it
	 */
	String encoding();

	/**
	 * Changes the bytes.
	 * @param plain JSON, or what the codec before has made of it
	 * @return other bytes; the same array if it had better not be applied
	 * @throws RuntimeException if it cannot be: whoever enqueues the job gets an
	 * {@link UnencodableException}
	 */
	byte[] encode(byte[] plain);

	/**
	 * Undoes that.
	 * @param encoded what {@link #encode} has made, here or elsewhere
	 * @return the bytes as they were
	 * @throws RuntimeException if it cannot be: the job is a dead letter
	 */
	byte[] decode(byte[] encoded);

}
