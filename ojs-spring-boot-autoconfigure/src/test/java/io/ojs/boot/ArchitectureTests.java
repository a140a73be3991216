package io.ojs.boot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.ojs.OjsException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows between modules and the forms that keep them readable.
 */
class ArchitectureTests {

	/** All packages but those of the other modules. */
	private static final DescribedPredicate<JavaClass> CORE = resideInAPackage("io.ojs..")
		.and(resideOutsideOfPackages("io.ojs.amqp..", "io.ojs.jdbc..", "io.ojs.web..", "io.ojs.dashboard..",
				"io.ojs.boot..", "io.ojs.test..", "io.ojs.replay..", "io.ojs.benchmark..", "io.ojs.sample.."))
		.as("core");

	/** An idea and its inside are one. */
	private static final SliceAssignment IDEAS = new SliceAssignment() {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return type.getPackageName().startsWith("io.ojs.")
					? SliceIdentifier.of((type.getPackageName() + ".").replace(".internal.", "."))
					: SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "packages";
		}

	};

	/** Imported once: that takes a second, and JUnit makes an instance for each test. */
	private static final JavaClasses LIBRARY = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("ojs-spring-boot-test") && !location.contains("ojs-test-"))
		.importPackages("io.ojs");

	/** What tests of applications are made with. */
	private static final JavaClasses KIT = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("io.ojs.test");

	@Test
	void jobsInMemoryKnowCoreAndNothingElse() {
		classes().that()
			.resideInAPackage("io.ojs.test.jobs..")
			.should()
			.onlyDependOnClassesThat(
					CORE.or(resideInAnyPackage("io.ojs.test.jobs..", "java..", "org.slf4j..", "org.jspecify..")))
			.check(KIT);
	}

	@Test
	void theKitForTestsSeesCoreAndNoOtherModule() {
		noClasses().should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.ojs.amqp..", "io.ojs.jdbc..", "io.ojs.web..", "io.ojs.boot..")
			.check(KIT);
	}

	@Test
	void whoOnlyWantsABrokerNeedsNothingOfTheKitForTests() {
		// The browser is for tests of pages, and is not published.
		DescribedPredicate<JavaClass> browser = resideInAPackage("io.ojs.test.internal.browser");
		noClasses().that(resideInAnyPackage("io.ojs.test.broker", "io.ojs.test.internal..").and(not(browser)))
			.should()
			.dependOnClassesThat(
					CORE.or(resideInAnyPackage("io.ojs.test.jobs..", "io.ojs.test.assertj", "io.ojs.test.boot",
							"org.springframework.boot.test..", "org.springframework.test..", "org.assertj..")))
			.check(KIT);
		noClasses().that(not(resideInAPackage("io.ojs.test.boot")).and(not(browser)))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot.test..", "org.springframework.test..", "org.junit..")
			.check(KIT);
	}

	@Test
	void coreKnowsNeitherSpringNorABroker() {
		classes().that(CORE)
			.should()
			.onlyDependOnClassesThat(
					CORE.or(resideInAnyPackage("java..", "javax.crypto..", "javax.net..", "tools.jackson..",
							"com.fasterxml.uuid..", "org.apache.hc.core5..", "org.slf4j..", "org.jspecify..")))
			.check(LIBRARY);
	}

	/** It is optional. */
	@Test
	void onlyTheExchangeOfAWebhookKnowsHttpCore() {
		noClasses().that()
			.haveNameNotMatching("io\\.ojs\\.webhook\\.internal\\.WebhookExchange.*")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.apache.hc..")
			.check(LIBRARY);
	}

	@Test
	void amqpKnowsCoreAndNotBoot() {
		noClasses().that()
			.resideInAPackage("io.ojs.amqp..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.ojs.boot..", "io.ojs.jdbc..", "io.ojs.web..", "org.springframework.boot..")
			.check(LIBRARY);
	}

	@Test
	void jdbcKnowsCoreAndNeitherABrokerNorTheWeb() {
		noClasses().that()
			.resideInAPackage("io.ojs.jdbc..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.ojs.boot..", "io.ojs.amqp..", "io.ojs.web..", "org.springframework.boot..",
					"org.springframework.amqp..", "org.springframework.web..")
			.check(LIBRARY);
	}

	@Test
	void featuresOfTheStoreKnowTheWayOfAJobAndNoOtherFeature() {
		noClasses().that()
			.resideInAPackage("io.ojs.jdbc.internal")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.ojs.jdbc.internal.*..")
			.check(LIBRARY);
		SlicesRuleDefinition.slices()
			.matching("io.ojs.jdbc.internal.(*)..")
			.should()
			.notDependOnEachOther()
			.check(LIBRARY);
	}

	@Test
	void webKnowsCoreAndNeitherABrokerNorADatabase() {
		classes().that()
			.resideInAPackage("io.ojs.web..")
			.should()
			.onlyDependOnClassesThat(CORE.or(resideInAnyPackage("io.ojs.web..", "java..", "jakarta.servlet..",
					"org.springframework.core..", "org.springframework.http..", "org.springframework.util..",
					"org.springframework.web..", "org.slf4j..", "org.jspecify..")))
			.check(LIBRARY);
	}

	/** Its pages call the API as those of others would. */
	@Test
	void theDashboardKnowsWhoMayReadAndNothingElseOfTheApi() {
		classes().that()
			.resideInAPackage("io.ojs.dashboard..")
			.should()
			.onlyDependOnClassesThat(resideInAnyPackage("io.ojs.dashboard..", "io.ojs.web", "io.ojs.internal.json",
					"java..", "jakarta.servlet..", "org.springframework.core..", "org.springframework.http..",
					"org.springframework.web..", "org.slf4j..", "org.jspecify.."))
			.check(LIBRARY);
	}

	@Test
	void onlyTheObservingPackagesKnowMicrometer() {
		noClasses().that()
			.resideOutsideOfPackages("io.ojs.amqp.internal.trace..", "io.ojs.amqp.internal.observe..", "io.ojs.boot..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.micrometer..")
			.check(LIBRARY);
	}

	/** Nothing from outside reaches a log as it came. */
	@Test
	void everyLoggerEscapes() {
		noClasses().that()
			.doNotHaveFullyQualifiedName("io.ojs.internal.log.SafeLogger")
			.should()
			.dependOnClassesThat()
			.haveFullyQualifiedName("org.slf4j.LoggerFactory")
			.check(LIBRARY);
	}

	@Test
	void packagesHaveNoCycles() {
		SlicesRuleDefinition.slices().assignedFrom(IDEAS).should().beFreeOfCycles().check(LIBRARY);
	}

	/** Otherwise users would depend on what changes without notice. */
	@Test
	void noSignatureOfTheApiHasAnInternalType() {
		Set<String> exposed = Stream.concat(LIBRARY.stream(), KIT.stream())
			.filter((type) -> !isInternal(type) && isVisible(type))
			.flatMap((type) -> signatures(type).filter(ArchitectureTests::isInternal)
				.map((internal) -> type.getName() + " shows " + internal.getName()))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(exposed).isEmpty();
		assertThat(LIBRARY.size()).isGreaterThan(1000);
		assertThat(KIT.size()).isGreaterThan(30);
	}

	private static boolean isInternal(JavaClass type) {
		return (type.getPackageName() + ".").contains(".internal.");
	}

	private static boolean isVisible(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(ArchitectureTests::isVisible).orElse(true);
	}

	private static Stream<JavaClass> signatures(JavaClass type) {
		Stream<JavaType> members = Stream
			.of(type.getFields().stream().filter(ArchitectureTests::isVisible).map(JavaField::getType), type
				.getCodeUnits()
				.stream()
				.filter(ArchitectureTests::isVisible)
				.flatMap((unit) -> Stream
					.of(List.of(unit.getReturnType()), unit.getParameterTypes(), unit.getThrowsClause().getTypes())
					.flatMap(List::stream)))
			.flatMap(Function.identity());
		Stream<JavaType> parents = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
		return Stream.concat(members, parents).flatMap((used) -> used.getAllInvolvedRawTypes().stream());
	}

	private static boolean isVisible(JavaMember member) {
		return member.getModifiers().contains(JavaModifier.PUBLIC)
				|| member.getModifiers().contains(JavaModifier.PROTECTED);
	}

	@Test
	void autoConfigurationsArePublicFinalWithNothingPublicInside() {
		classes().that().areAnnotatedWith(AutoConfiguration.class).should().bePublic().check(LIBRARY);
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.resideInAPackage("io.ojs.boot..")
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration")
			.check(LIBRARY);
		noMethods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.check(LIBRARY);
		methods().that().areAnnotatedWith(Bean.class).should().bePackagePrivate().check(LIBRARY);
		// The constructor that a class without one gets is as public as the class.
		constructors().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.and(DescribedPredicate.describe("have parameters",
					(constructor) -> !constructor.getParameters().isEmpty()))
			.should()
			.bePackagePrivate()
			.check(LIBRARY);
	}

	@Test
	void autoConfigurationsAreThoseThatAreListed() {
		Set<String> annotated = LIBRARY.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.map(JavaClass::getName)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(listed()).isEqualTo(annotated).isNotEmpty();
	}

	private static Set<String> listed() {
		String file = "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
		try (InputStream stream = OjsAutoConfiguration.class.getResourceAsStream(file)) {
			assertThat(stream).isNotNull();
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.isBlank())
				.collect(Collectors.toCollection(TreeSet::new));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Spring reads nested classes before the class around them, in the order of the class
	 * file, which is not that of the source: what a sibling or the outer class defines
	 * may not be there yet.
	 */
	@Test
	void nestedConfigurationsDoNotDependOnBeansOfTheirOuterClass() {
		Set<String> lucky = LIBRARY.stream()
			.filter((type) -> type.isAnnotatedWith(Configuration.class))
			.flatMap((nested) -> outer(nested).flatMap(ArchitectureTests::withNested)
				.filter((other) -> other != nested && withNested(nested).noneMatch(other::equals))
				.flatMap((other) -> other.getMethods().stream())
				.filter((method) -> method.isAnnotatedWith(Bean.class))
				.filter((bean) -> conditions(nested).stream().anyMatch(bean.getRawReturnType()::isAssignableTo))
				.map((bean) -> nested.getName() + " depends on " + bean.getFullName()))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(lucky).isEmpty();
		assertThat(conditions(LIBRARY.get("io.ojs.boot.deadletter.OjsDeadLettersAutoConfiguration$Http")))
			.containsExactly("io.ojs.web.internal.OjsRequestHandler");
	}

	private static Stream<JavaClass> outer(JavaClass type) {
		return type.getEnclosingClass().map((outer) -> outer(outer).findFirst().orElse(outer)).stream();
	}

	private static Stream<JavaClass> withNested(JavaClass outer) {
		return Stream.concat(Stream.of(outer),
				LIBRARY.stream().filter((type) -> type.getName().startsWith(outer.getName() + "$")));
	}

	/** The types of beans, by the condition itself and by annotations that have it. */
	private static Set<String> conditions(JavaClass configuration) {
		return Stream.<HasAnnotations<?>>concat(Stream.of(configuration), configuration.getMethods().stream())
			.flatMap((element) -> Stream.concat(Stream.of(element),
					element.getAnnotations().stream().map(JavaAnnotation::getRawType)))
			.flatMap((element) -> element.tryGetAnnotationOfType(ConditionalOnBean.class).stream())
			.flatMap((condition) -> Stream.concat(Stream.of(condition.value()).map(Class::getName),
					Stream.of(condition.type())))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void nothingIsInjectedIntoFields() {
		fields().should().notBeAnnotatedWith(Autowired.class).check(LIBRARY);
	}

	@Test
	void locksAreNoMonitors() {
		noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(LIBRARY);
		assertThat(LIBRARY.stream().filter(ArchitectureTests::entersAMonitor).map(JavaClass::getName)).isEmpty();
	}

	/** ArchUnit sees synchronized methods; a block is an instruction. */
	private static boolean entersAMonitor(JavaClass type) {
		AtomicBoolean found = new AtomicBoolean();
		try (InputStream stream = type.getSource().orElseThrow().getUri().toURL().openStream()) {
			new ClassReader(stream).accept(new ClassVisitor(SpringAsmInfo.ASM_VERSION) {

				@Override
				public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
						String[] exceptions) {
					return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

						@Override
						public void visitInsn(int opcode) {
							found.compareAndSet(false, opcode == Opcodes.MONITORENTER);
						}

					};
				}

			}, ClassReader.SKIP_DEBUG);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found.get();
	}

	@Test
	void exceptionsAreAFamily() {
		classes().that()
			.areAssignableTo(Throwable.class)
			.and()
			// Is never thrown: stands for another one in a log.
			.doNotHaveFullyQualifiedName("io.ojs.job.internal.ForeignText$Escaped")
			.should()
			.beAssignableTo(OjsException.class)
			.check(LIBRARY);
	}

	@Test
	void nothingWritesToTheConsole() {
		noClasses().should().accessField(System.class, "out").check(LIBRARY);
		noClasses().should().accessField(System.class, "err").check(LIBRARY);
		noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..").check(LIBRARY);
	}

	@Test
	void everyPackageIsNullMarked() {
		classes().that().haveSimpleName("package-info").should().beAnnotatedWith(NullMarked.class).check(LIBRARY);
		Set<String> packages = LIBRARY.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
		Set<String> described = LIBRARY.stream()
			.filter((type) -> type.getSimpleName().equals("package-info"))
			.map(JavaClass::getPackageName)
			.collect(Collectors.toSet());
		assertThat(described).containsExactlyInAnyOrderElementsOf(packages);
	}

}
