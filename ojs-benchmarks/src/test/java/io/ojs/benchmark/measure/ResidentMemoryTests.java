package io.ojs.benchmark.measure;

import java.lang.management.ManagementFactory;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ResidentMemoryTests {

	private static final String HEAP = """
			4711:
			 garbage-first heap   total 48128K, used 19245K [0x00000000f0000000, 0x0000000100000000)
			  region size 1024K, 16 young (16384K), 8 survivors (8192K)
			""";

	@Test
	void heapIsWhatLiesWithin() {
		List<String> ranges = List.of("efff0000-f0000000 rw-p 00000000 00:00 0", "Size: 64 kB", "Rss: 1024 kB",
				"Pss: 7 kB", "f0000000-f2f00000 rw-p 00000000 00:00 0", "Rss:   10240 kB",
				"fff00000-100000000 rw-p 00000000 00:00 0", "Rss: 2048 kB", "100000000-100400000 rw-p 00000000 00:00 0",
				"Rss: 4096 kB", "7f5600000000-7f5600021000 r-xp 00000000 08:01 131 /lib/libjvm.so", "Rss: 512 kB",
				"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]", "Rss: 0 kB");
		ResidentMemory memory = ResidentMemory.of(ranges, HEAP);
		assertThat(memory.heap()).isEqualTo(12);
		assertThat(memory.all()).isEqualTo(17.5);
		assertThat(memory.needed()).isEqualTo(5.5 + 19245 / 1024.0);
	}

	@Test
	void generationsAreOneHeap() {
		String serial = """
				4711:
				 def new generation   total 78656K, used 5596K [0x00000000f0000000, 0x00000000f5550000, 0x00000000f5550000)
				  eden space 69952K,   8% used [0x00000000f0000000, 0x00000000f05772f8, 0x00000000f4450000)
				 tenured generation   total 174784K, used 0K [0x00000000f5550000, 0x0000000100000000, 0x0000000100000000)
				""";
		List<String> ranges = List.of("f0000000-f5550000 rw-p 00000000 00:00 0", "Rss: 1024 kB",
				"f5550000-100000000 rw-p 00000000 00:00 0", "Rss: 2048 kB", "100000000-100400000 rw-p 00000000 00:00 0",
				"Rss: 4096 kB");
		assertThat(ResidentMemory.of(ranges, serial)).isEqualTo(new ResidentMemory(7, 3, 5596 / 1024.0));
	}

	@Test
	void aJvmCanBeAsked() throws Exception {
		ResidentMemory own = ResidentMemory.of(ProcessHandle.current().pid());
		assertThat(own.heap()).isBetween(1.0,
				ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax() / (1024.0 * 1024));
		assertThat(own.all()).isGreaterThan(own.heap() + 10);
		assertThat(ResidentMemory.afterCollection(ProcessHandle.current().pid()).used()).isBetween(1.0, own.heap());
	}

	@Test
	void withoutAnAnswerThereIsNoFigure() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ResidentMemory.of(List.of("Rss: 1 kB"), "4711: no such process"))
			.withMessageContaining("no such process");
		assertThatIllegalStateException().isThrownBy(() -> ResidentMemory.of(List.of(), HEAP));
	}

}
