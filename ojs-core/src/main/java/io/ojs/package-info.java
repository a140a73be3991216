/**
 * Open Job Spec for Java: the root of every exception. The rest lives in one package per
 * idea.
 */
@NullMarked
package io.ojs;

import org.jspecify.annotations.NullMarked;
