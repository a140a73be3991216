/**
 * What is measured: this project, what a user would pick instead, and what one would
 * write by hand.
 */
@NullMarked
package io.ojs.benchmark.contender;

import org.jspecify.annotations.NullMarked;
