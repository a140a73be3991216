/**
 * Programs as child processes that do not outlive the JVM. For the packages beside this
 * one: nothing here is for applications.
 */
@NullMarked
package io.ojs.test.process;

import org.jspecify.annotations.NullMarked;
