/**
 * Programs as child processes that do not outlive the JVM. Internal: for the neighbouring
 * packages, not for applications.
 */
@NullMarked
package io.ojs.test.internal.process;

import org.jspecify.annotations.NullMarked;
