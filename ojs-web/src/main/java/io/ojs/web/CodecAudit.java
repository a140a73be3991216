package io.ojs.web;

/**
 * Records the requests to encode or decode arguments.
 */
@FunctionalInterface
public interface CodecAudit {

	/**
	 * Records a request before its answer is sent.
	 * @param access the request
	 * @throws RuntimeException if it cannot be recorded; then the answer shows no
	 * arguments
	 */
	void accessed(CodecAccess access);

}
