/** The command: what is measured, in which order, and the page that it makes. */
@NullMarked
package io.ojs.benchmark;

import org.jspecify.annotations.NullMarked;
