package io.ojs.store;

import java.util.List;

import io.ojs.OjsException;
import io.ojs.client.EncodedJob;

/**
 * Decides whether jobs may be enqueued at all, before they are kept. Called in the
 * transaction that keeps them.
 */
@FunctionalInterface
public interface Admission {

	/** Lets everything in. */
	Admission OPEN = (jobs) -> {
	};

	/**
	 * Lets jobs in, or refuses all of them.
	 * @param jobs those that are to be kept together
	 * @throws OjsException if one of them is refused; the transaction is rolled back
	 */
	void admit(List<EncodedJob> jobs);

}
