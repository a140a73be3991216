@NullMarked
package io.ojs.test.process;

import org.jspecify.annotations.NullMarked;
