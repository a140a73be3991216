/**
 * An application whose jobs are tested as its own tests would.
 */
@NullMarked
package io.ojs.boot.slice;

import org.jspecify.annotations.NullMarked;
