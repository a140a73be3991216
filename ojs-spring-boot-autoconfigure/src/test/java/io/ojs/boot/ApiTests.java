package io.ojs.boot;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What applications can use, in one file for people to read: a change of the API is a
 * change of that file. {@code -Dojs.approve=true} writes it anew.
 */
class ApiTests {

	private static final Path APPROVED = Path.of("src/test/resources/io/ojs/boot/api.txt");

	private static final Comparator<String> BY_NAME = Comparator
		.comparing((line) -> line.replaceAll("^.*?(\\w+)(\\(.*)?$", "$1$2"));

	@Test
	void theApiIsAsApproved() throws IOException {
		String api = api();
		if (Boolean.getBoolean("ojs.approve")) {
			Files.writeString(APPROVED, api);
		}
		assertThat(api).isEqualTo(Files.readString(APPROVED));
	}

	private static String api() {
		SortedMap<String, List<JavaClass>> packages = new ClassFileImporter()
			.withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("io.ojs")
			.stream()
			.filter(ApiTests::isApi)
			.collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.toList()));
		List<String> lines = new ArrayList<>();
		packages.forEach((name, types) -> {
			lines.add("package " + name);
			types.stream().sorted(Comparator.comparing(JavaClass::getName)).forEach((type) -> {
				lines.add("");
				lines.add("  " + (isSealed(type) ? "sealed " : "") + kind(type) + name(type)
						+ variables(type.getTypeParameters()) + parents(type) + permitted(type));
				members(type).sorted(BY_NAME).map((member) -> "    " + member).forEach(lines::add);
			});
			lines.add("");
		});
		return String.join("\n", lines);
	}

	private static boolean isApi(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC)
				&& !(type.getPackageName() + ".").contains(".internal.")
				&& type.getEnclosingClass().map(ApiTests::isApi).orElse(true);
	}

	private static String kind(JavaClass type) {
		String kind = type.isAnnotation() ? "@interface "
				: type.isInterface() ? "interface " : type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ";
		return (kind.equals("class ") && type.getModifiers().contains(JavaModifier.FINAL) ? "final "
				: kind.equals("class ") && type.getModifiers().contains(JavaModifier.ABSTRACT) ? "abstract " : "")
				+ kind;
	}

	private static String name(JavaClass type) {
		return name(type.reflect());
	}

	private static String name(Class<?> type) {
		return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
	}

	/** ArchUnit does not say which types are sealed. */
	private static boolean isSealed(JavaClass type) {
		return type.reflect().isSealed() && !type.isEnum();
	}

	private static String permitted(JavaClass type) {
		return isSealed(type) ? Arrays.stream(type.reflect().getPermittedSubclasses())
			.map(ApiTests::name)
			.sorted()
			.collect(Collectors.joining(", ", " permits ", "")) : "";
	}

	private static String variables(List<? extends JavaTypeVariable<?>> variables) {
		return variables.isEmpty() ? ""
				: variables.stream()
					.map((variable) -> variable.getName() + bounds(variable))
					.collect(Collectors.joining(", ", "<", ">"));
	}

	private static String bounds(JavaTypeVariable<?> variable) {
		List<String> bounds = variable.getUpperBounds()
			.stream()
			.map(ApiTests::simple)
			.filter((name) -> !name.equals("Object"))
			.toList();
		return bounds.isEmpty() ? "" : " extends " + String.join(" & ", bounds);
	}

	private static String parents(JavaClass type) {
		List<String> parents = visibleParents(type).map(ApiTests::simple)
			.filter((name) -> !name.matches("Object|Record|Enum<.*|Annotation"))
			.sorted()
			.toList();
		return parents.isEmpty() ? "" : ": " + String.join(", ", parents);
	}

	/** A parent that is not part of the API is replaced by its own. */
	private static Stream<JavaType> visibleParents(JavaClass type) {
		return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
			.flatMap((parent) -> (parent.getName().startsWith("io.ojs.") && !isApi(parent.toErasure()))
					? visibleParents(parent.toErasure()) : Stream.of(parent));
	}

	private static Stream<String> members(JavaClass type) {
		Stream<String> fields = type.getFields()
			.stream()
			.filter(ApiTests::isVisible)
			.map((field) -> (field.getModifiers().contains(JavaModifier.ENUM)) ? field.getName()
					: simple(field.getType()) + " " + field.getName());
		Stream<String> units = type.getCodeUnits()
			.stream()
			.filter(ApiTests::isVisible)
			.filter((unit) -> !isObvious(type, unit))
			.map((unit) -> signature(type, unit));
		return Stream.concat(fields, units);
	}

	private static boolean isVisible(JavaMember member) {
		return !member.getModifiers().contains(JavaModifier.SYNTHETIC)
				&& !member.getModifiers().contains(JavaModifier.BRIDGE)
				&& (member.getModifiers().contains(JavaModifier.PUBLIC)
						|| member.getModifiers().contains(JavaModifier.PROTECTED));
	}

	/** What each enum, record and exception has. */
	private static boolean isObvious(JavaClass type, JavaCodeUnit unit) {
		boolean object = unit.getName().matches("toString|hashCode|equals|<clinit>");
		return object || (type.isEnum() && unit.getName().matches("values|valueOf"));
	}

	private static String signature(JavaClass type, JavaCodeUnit unit) {
		String parameters = unit.getParameterTypes()
			.stream()
			.map(ApiTests::simple)
			.collect(Collectors.joining(", ", "(", ")"));
		String variables = variables(unit.getTypeParameters());
		if (unit instanceof JavaConstructor) {
			return variables + "new" + parameters + thrown(unit);
		}
		String how = unit.getModifiers().contains(JavaModifier.STATIC) ? "static "
				: (type.isInterface() && !unit.getModifiers().contains(JavaModifier.ABSTRACT)) ? "default " : "";
		return how + (variables.isEmpty() ? "" : variables + " ") + simple(unit.getReturnType()) + " " + unit.getName()
				+ parameters + thrown(unit) + fallback((JavaMethod) unit);
	}

	private static String thrown(JavaCodeUnit unit) {
		List<String> declared = unit.getThrowsClause().getTypes().stream().map(ApiTests::simple).sorted().toList();
		return declared.isEmpty() ? "" : " throws " + String.join(", ", declared);
	}

	/** The default value of a member of an annotation. */
	private static String fallback(JavaMethod method) {
		return method.getDefaultValue().map((value) -> " = " + shown(value)).orElse("");
	}

	private static String shown(Object value) {
		if (value instanceof Object[] elements) {
			return Arrays.stream(elements).map(ApiTests::shown).collect(Collectors.joining(", ", "{", "}"));
		}
		if (value.getClass().isArray()) {
			return IntStream.range(0, Array.getLength(value))
				.mapToObj((i) -> String.valueOf(Array.get(value, i)))
				.collect(Collectors.joining(", ", "{", "}"));
		}
		return (value instanceof JavaEnumConstant constant) ? constant.name()
				: (value instanceof JavaClass type) ? simple(type)
						: (value instanceof JavaAnnotation<?> annotation) ? "@" + simple(annotation.getRawType())
								: (value instanceof String text) ? '"' + text + '"' : String.valueOf(value);
	}

	private static String simple(JavaType type) {
		JavaClass erasure = type.toErasure();
		if (erasure.isArray()) {
			return simple(erasure.getComponentType()) + "[]";
		}
		return type.getName().replaceAll("\\b[a-z]\\w*\\.", "").replace('$', '.');
	}

}
