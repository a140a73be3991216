package io.ojs.boot.it;

import org.junit.jupiter.api.Tag;

/**
 * Where the broker delivers.
 */
@Tag("faults")
class StoreChaosTests extends StoreChaosContract {

	StoreChaosTests() {
		super("broker");
	}

}
