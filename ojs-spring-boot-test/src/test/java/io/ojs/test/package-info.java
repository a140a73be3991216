@NullMarked
package io.ojs.test;

import org.jspecify.annotations.NullMarked;
