/**
 * Jobs in memory in the context of a test: the slice {@code @OjsTest}, and
 * {@code @AutoConfigureOjsTest} for whole applications. Requires Spring Boot's test
 * modules and the auto-configuration of this library, which this package names but does
 * not depend on.
 */
@NullMarked
package io.ojs.test.boot;

import org.jspecify.annotations.NullMarked;
