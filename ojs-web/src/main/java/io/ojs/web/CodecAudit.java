package io.ojs.web;

/**
 * Keeps a record of who has had arguments decoded.
 */
@FunctionalInterface
public interface CodecAudit {

	/**
	 * Records it, before anything is shown.
	 * @param access what was asked for
	 * @throws RuntimeException if it cannot be recorded: nothing is shown then
	 */
	void accessed(CodecAccess access);

}
