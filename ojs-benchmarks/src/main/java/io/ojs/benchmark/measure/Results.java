package io.ojs.benchmark.measure;

/** Takes what was seen. */
@FunctionalInterface
interface Results {

	void add(Measurement measurement);

}
