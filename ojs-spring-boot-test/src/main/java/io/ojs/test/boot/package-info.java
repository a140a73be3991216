/**
 * Jobs in memory in the context of a test: the slice {@code @OjsTest}, and
 * {@code @AutoConfigureOjsTest} for whole applications. Needs Spring Boot's test modules
 * and the auto-configuration of this library, which it names and does not see.
 */
@NullMarked
package io.ojs.test.boot;

import org.jspecify.annotations.NullMarked;
