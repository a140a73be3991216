package io.ojs.boot;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class OjsBackgroundPreinitializerTests {

	@Test
	void springBootFindsItAndItLoadsWhatItNames() {
		List<BackgroundPreinitializer> all = SpringFactoriesLoader
			.forDefaultResourceLocation(getClass().getClassLoader())
			.load(BackgroundPreinitializer.class);
		assertThat(all).hasAtLeastOneElementOfType(OjsBackgroundPreinitializer.class);
		// Spring Boot would say nothing of what it throws.
		assertThat(all).filteredOn(OjsBackgroundPreinitializer.class::isInstance)
			.allSatisfy((each) -> assertThatCode(each::preinitialize).doesNotThrowAnyException());
	}

}
