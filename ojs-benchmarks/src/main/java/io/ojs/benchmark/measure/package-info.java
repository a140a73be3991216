/**
 * How it is measured: each contender in a process of its own, all in turns.
 */
@NullMarked
package io.ojs.benchmark.measure;

import org.jspecify.annotations.NullMarked;
