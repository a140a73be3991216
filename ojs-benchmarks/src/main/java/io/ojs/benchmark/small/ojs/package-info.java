/** The smallest application with this project. */
@NullMarked
package io.ojs.benchmark.small.ojs;

import org.jspecify.annotations.NullMarked;
