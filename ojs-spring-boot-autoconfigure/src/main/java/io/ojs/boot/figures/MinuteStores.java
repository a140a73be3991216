package io.ojs.boot.figures;

import java.util.List;

import io.ojs.internal.stats.MemoryMinuteStore;
import io.ojs.internal.stats.MinuteStore;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Which store keeps the numbers of minutes.
 */
final class MinuteStores {

	private MinuteStores() {
	}

	/** The store that all processes share, or else that of this process. */
	static MinuteStore best(ObjectProvider<MinuteStore> stores) {
		List<MinuteStore> all = stores.stream().toList();
		return all.stream()
			.filter((store) -> !(store instanceof MemoryMinuteStore))
			.findFirst()
			.orElseGet(() -> all.get(0));
	}

}
