/**
 * What becomes of jobs, whichever store keeps them.
 */
@NullMarked
package io.ojs.engine;

import org.jspecify.annotations.NullMarked;
