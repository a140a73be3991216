/**
 * Open Job Spec for Java: the root of the exceptions. All other classes are in one
 * package per topic.
 */
@NullMarked
package io.ojs;

import org.jspecify.annotations.NullMarked;
