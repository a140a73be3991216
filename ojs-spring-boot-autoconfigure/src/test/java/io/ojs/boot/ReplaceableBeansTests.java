package io.ojs.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.ojs.amqp.QueueContracts;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.cron.CronJobs;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.queue.Queues;
import io.ojs.tenant.Tenants;
import io.ojs.webhook.Webhooks;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The beans that applications replace are those that the page of the API lists.
 */
class ReplaceableBeansTests {

	private static final Path PAGE = Path.of("../src/docs/api.md");

	private static final String SECTION = "\n## Beans that applications replace\n";

	private static final List<JavaMethod> BEANS = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("io.ojs.boot")
		.stream()
		.flatMap((type) -> type.getMethods().stream())
		.filter((method) -> method.isAnnotatedWith(Bean.class))
		.toList();

	@Test
	void beansThatGiveWayAreThoseOfThePage() throws IOException {
		Set<String> replaceable = replaceable();
		assertThat(replaceable).noneMatch((name) -> name.contains(".internal."));
		assertThat(listed()).isEqualTo(replaceable.stream()
			.map((name) -> name.substring(name.lastIndexOf('.') + 1))
			.collect(Collectors.toCollection(TreeSet::new)));
	}

	@Test
	void eachBeanOfATypeThatIsReplacedGivesWay() {
		Set<String> replaceable = replaceable();
		assertThat(BEANS)
			.filteredOn((method) -> replaceable.stream().anyMatch(method.getRawReturnType()::isAssignableTo))
			.hasSizeGreaterThan(replaceable.size())
			.allMatch((method) -> method.isAnnotatedWith(ConditionalOnMissingBean.class));
	}

	/** The start of an application with a second bean of one of these fails. */
	@Test
	void secondBeansOfWhatApplicationsInjectAreRejected() {
		assertThat(BEANS).filteredOn((method) -> !method.isAnnotatedWith(ConditionalOnMissingBean.class))
			.flatMap((method) -> SecondBeanCheck.called(method.getRawReturnType().reflect()))
			.containsOnly(CronJobs.class, DeadLetterReplayer.class, DeadLetters.class, EventFeed.class,
					QueueContracts.class, Queues.class, Tenants.class, Webhooks.class, Workflows.class);
	}

	private static Set<String> replaceable() {
		return BEANS.stream()
			.filter((method) -> method.isAnnotatedWith(ConditionalOnMissingBean.class))
			.flatMap(ReplaceableBeansTests::replaceable)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** The types of the bean, or its names. */
	private static Stream<String> replaceable(JavaMethod method) {
		ConditionalOnMissingBean condition = method.getAnnotationOfType(ConditionalOnMissingBean.class);
		if (condition.name().length > 0) {
			return Stream.of(condition.name());
		}
		return (condition.value().length > 0) ? Stream.of(condition.value()).map(Class::getName)
				: Stream.of(method.getRawReturnType().getName());
	}

	private static Set<String> listed() throws IOException {
		String page = Files.readString(PAGE);
		String section = page.substring(page.indexOf(SECTION) + SECTION.length()).split("\n## ")[0];
		return section.lines()
			.filter((line) -> line.startsWith("| ") && line.contains("`"))
			.map((line) -> line.split("\\|")[1])
			.flatMap((cell) -> List.of(cell.split("`")).stream().filter((part) -> part.matches("\\w+")))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
